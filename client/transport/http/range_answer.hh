#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>

#include "transport/http/file_versions.hh"
#include "transport/http/response_check.hh"
#include "transport/http_transport.hh"

namespace tributary::transport {

/// The value of If-Range for the request; empty if there must be none. By it, an origin whose answers do not tell the
/// version still notices that the file has changed.
std::string if_range(const RangeRequest& request, const FileVersions& versions);

/// A response on its way to become the events of its request, whatever protocol carries it. Gives out nothing that is not
/// what was asked for.
class RangeAnswer {
 public:
  /// The events are appended there; it must outlive this.
  RangeAnswer(RangeRequest request, std::deque<Event>& events) : request_{std::move(request)}, events_{&events} {}

  const RangeRequest& request() const { return request_; }

  /// The head of the final response. The rejection, if it is one; the request has failed then.
  std::optional<Rejection> on_head(const ResponseHead& head, FileVersions& versions);
  /// It is this response's turn.
  void begin() { events_->emplace_back(ResponseBegan{request_.id}); }
  /// Not of a rejected response. False if the body is longer than announced: the request has failed then.
  bool on_body(std::span<const std::byte> bytes);
  /// The response is over; done if it brought all that was asked for, else failed, and only then are the two used.
  void end(FailureReason reason, std::string detail);
  /// The same, whose body has come to its end.
  void end_of_body();

  bool rejected() const { return ended_; }
  /// Bytes that may still come: of the range before there is a head.
  DataSize left() const { return body_.end - next_; }
  bool has_given_bytes() const { return next_ > request_.range.begin; }

 private:
  std::optional<Rejection> other_version(const ResponseHead& head, FileVersions& versions) const;
  Rejection changed(std::string detail) const;
  void fail(Rejection why);

  RangeRequest request_;
  std::deque<Event>* events_;
  ByteRange body_ = request_.range;       // what the response carries
  DataSize next_ = request_.range.begin;  // first byte not yet given out
  bool ended_ = false;                    // the request has had its last event
};

}  // namespace tributary::transport
