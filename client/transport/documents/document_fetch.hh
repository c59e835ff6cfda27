#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "units/data_size.hh"
#include "units/failure_reason.hh"

namespace tributary::transport {

struct Document {
  std::string url;  // where it was found in the end, after redirects
  std::string text;
  std::string etag;                              // as the origin sent it, empty if it did not
  Duration waited{};                             // from the request to the first byte of the answer
  std::optional<std::chrono::sys_seconds> date;  // when the origin answered, by its clock
  bool unchanged = false;                        // it is the one that is known by its ETag; there is no text then
};

/// What was tried, and what came back.
class FetchError : public std::runtime_error {
 public:
  FetchError(FailureReason why, const std::string& text, std::optional<Duration> pause = std::nullopt)
      : std::runtime_error{text}, reason{why}, retry_after{pause} {}
  FailureReason reason;
  std::optional<Duration> retry_after;  // the origin asks not to be asked for so long
};

struct FetchLimits {
  DataSize size{64'000'000};
  Duration time = std::chrono::seconds{90};
  int redirects = 50;  // as with curl
};

/// Fetches one document, such as an index, in one piece and on a connection of its own. Begins when it is
/// made, makes progress while the loop waits, and is given up when it is destroyed.
class DocumentFetch {
 public:
  /// With the ETag of a document that is known, it is fetched only if it has changed since.
  DocumentFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, const FetchLimits& limits = {},
                const std::string& known_etag = "");
  ~DocumentFetch();

  /// The document, once, when it is complete; nothing before. Throws FetchError if it cannot be had.
  std::optional<Document> result();
  /// There is a connection, and the request is sent.
  bool asked() const;

 private:
  class Transfer;
  std::unique_ptr<Transfer> transfer_;
};

/// The same, and waits for it. Throws FetchError.
Document fetch_document(const std::string& url, const LinkRules& rules, const FetchLimits& limits = {});

}  // namespace tributary::transport
