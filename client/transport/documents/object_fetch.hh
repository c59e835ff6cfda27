#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/documents/document_fetch.hh"
#include "transport/http/file_versions.hh"
#include "units/data_size.hh"

namespace tributary::transport {

/// What an origin says of an object.
struct ObjectHead {
  std::string url;               // where it was found in the end, after redirects
  std::optional<DataSize> size;  // of the whole object
  bool ranges = false;           // a range was asked for, and came
  std::string etag, last_modified, content_type;
  std::string coding{}, date{};  // Content-Encoding; Date
  Duration waited{};             // from the request to the first byte of the answer
  Duration turnaround{};         // of the link: CurlHandle
};

FileVersion version_of(const ObjectHead& head);
/// Ranges of it that come in several answers are of one version, as far as the origin's own words go: an object that
/// may change twice within a second is not known by the second of its last change (RFC 9110 section 8.8.2.2).
bool can_be_put_together(const ObjectHead& head);
/// All of the object has come in one answer, and its ranges were said to be of a longer one, though nothing tells that this is another
/// version.
bool falls_short(DataSize received, const ObjectHead& whole, const ObjectHead& in_range);

/// Asks for an object over one link: for its first byte, to learn what it is, or for all of it. An origin that does not
/// know ranges answers with the whole object in any case: it is taken, because nothing else can be had. Bytes are taken
/// as they come: no content coding is undone. On a connection of its own; begins when it is made, makes progress while
/// the loop waits, and is given up when it is destroyed.
class ObjectFetch {
 public:
  /// Is told each piece of a whole object in order, with the head that it belongs to, and may throw.
  using TakeBody = std::function<void(const ObjectHead& head, std::span<const std::byte> bytes)>;

  enum class Wanted { kFirstByte, kWhole };
  ObjectFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take);
  ~ObjectFetch();

  /// The head, once, when all of the answer has come; nothing before. Throws FetchError if it cannot be had (where the
  /// first byte cannot, the whole may), and what `take` threw.
  std::optional<ObjectHead> result();
  /// The head has come, whatever it says; one that redirects does not count.
  bool answered() const;
  /// Of the link (CurlHandle), once it is known.
  std::optional<Duration> turnaround() const;

 private:
  class Transfer;
  std::unique_ptr<Transfer> transfer_;
};

}  // namespace tributary::transport
