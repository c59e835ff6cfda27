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
#include "units/byte_range.hh"
#include "units/data_size.hh"

namespace tributary::transport {

/// The origin's statements about an object.
struct ObjectHead {
  std::string url;               // where it was found, after redirects
  std::optional<DataSize> size;  // of the whole object
  bool ranges = false;           // the answer to a range is that range
  std::string etag, last_modified, content_type;
  std::string coding{}, date{};  // Content-Encoding; Date
  Duration waited{};             // from the request to the first byte of the answer
  Duration turnaround{};         // CurlHandle::turnaround()
  Duration round_trip{};         // CurlHandle::round_trip()
  ByteRange brings{};            // the range of the object that the answer has, if it has one
  std::string file_name{};       // disposition_file_name()
};

FileVersion version_of(const ObjectHead& head);
/// Whether the origin's statements suffice to know that ranges from several answers are of one version. The second of
/// the last change does not suffice if the object may change again within that second (RFC 9110 section 8.8.2.2).
bool can_be_put_together(const ObjectHead& head);
/// Whether the whole object in one answer has fewer bytes than an answer to a range stated, without any other sign of
/// another version.
bool falls_short(DataSize received, const ObjectHead& whole, const ObjectHead& in_range);

/// Asks for an object over one link: for its first byte, to learn its head, for everything from some byte on, or for
/// all of it. An origin without ranges answers with the whole object in any case; the fetch then takes it. A range with
/// all bytes of the object counts as the whole, if no other range could be put together with it. No content coding is
/// undone.
///
/// The fetch has a connection of its own. The constructor begins, the fetch makes progress while the loop waits, and
/// the destructor gives up.
class ObjectFetch {
 public:
  /// Takes each piece in order, with the object's head; not the single byte of Wanted::kFirstByte. May throw.
  using TakeBody = std::function<void(const ObjectHead& head, std::span<const std::byte> bytes)>;

  enum class Wanted { kFirstByte, kRest, kWhole };
  /// `from`: where the rest begins.
  ObjectFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take,
              DataSize from = {});
  ~ObjectFetch();

  /// The head, once, when all of the answer has come; nothing before. Throws FetchError if the answer is of no use, and
  /// rethrows exceptions of `take`. If the first byte cannot be had, the whole object still may.
  std::optional<ObjectHead> result();
  /// The head as soon as it has come, whatever becomes of the body. Throws as result() does if there will be none.
  std::optional<ObjectHead> head();
  /// The final head has come, with any status; a redirection is not final.
  bool answered() const;
  /// CurlHandle::turnaround(): nothing before the request is sent.
  std::optional<Duration> turnaround() const;
  /// The round trip of now (system/tcp_connection.hh).
  std::optional<Duration> round_trip() const;
  /// Packets were lost, or overtaken, since the connection was made.
  bool out_of_order() const;
  /// The origin need not send more than this of the body (system/tcp_connection.hh).
  void accept_at_most(DataSize size);
  /// While it pauses, nothing is read from the connection; what libcurl has read already comes at resume(). Both may be
  /// called by `take`.
  void pause();
  void resume();

 private:
  class Transfer;
  std::unique_ptr<Transfer> transfer_;
};

}  // namespace tributary::transport
