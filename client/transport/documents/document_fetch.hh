#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "units/byte_range.hh"
#include "units/data_size.hh"
#include "units/failure_reason.hh"

namespace tributary::transport {

struct Document {
  std::string url;  // where it was found, after redirects
  std::string text;
  std::string etag;                              // as the origin sent it; empty: it sent none
  Duration waited{};                             // from the request to the first byte of the answer
  std::optional<std::chrono::sys_seconds> date;  // of the answer, by the origin's clock
  std::string content_type;
  bool left = false;       // `text` is its beginning only: FetchLimits::goes_on wanted no more
  bool unchanged = false;  // the document with the known ETag; `text` is empty then
};

/// A document that cannot be had. The text names the attempt and its result.
class FetchError : public std::runtime_error {
 public:
  FetchError(FailureReason why, const std::string& text, std::optional<Duration> pause = std::nullopt)
      : std::runtime_error{text}, reason{why}, retry_after{pause} {}
  FailureReason reason;
  std::optional<Duration> retry_after;  // the pause that the origin asks for
};

/// A server that can be talked to does not give out what was asked for: some refuse what is too large for them.
bool may_be_too_large(const FetchError& refused);

struct FetchLimits {
  DataSize size{64'000'000};
  Duration time = std::chrono::seconds{90};
  int redirects = 50;  // the default of curl
  /// Only these bytes are wanted; a range whose end is beyond the file brings what there is. An origin without ranges is
  /// right if all of the document is within `size`.
  std::optional<ByteRange> range = {};
  /// Looks at what has come of the document so far, from its front, each time that more comes. False: it is of no use,
  /// and the rest is not fetched. Nothing: all of it is fetched.
  std::function<bool(std::string_view begin)> goes_on = {};
};

/// Fetches one document, such as an index, in one piece and on a connection of its own. The text is what a coded form
/// (Content-Encoding) stands for, whether or not that was asked for; a part of a coded form is refused. The constructor begins, the
/// fetch makes progress while the loop waits, and the destructor gives up.
class DocumentFetch {
 public:
  /// `known_etag`: the ETag of a known document, which is then fetched only if it has changed.
  DocumentFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, const FetchLimits& limits = {},
                const std::string& known_etag = "");
  ~DocumentFetch();

  /// The document, once, when it is complete; nothing before. Throws FetchError if the document cannot be had.
  std::optional<Document> result();
  /// The request has been sent over a connection.
  bool asked() const;
  /// The final head has come; a redirection is not final.
  bool answered() const;

 private:
  class Transfer;
  std::unique_ptr<Transfer> transfer_;
};

/// Fetches the document and waits for it. Throws FetchError.
Document fetch_document(const std::string& url, const LinkRules& rules, const FetchLimits& limits = {});

}  // namespace tributary::transport
