#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>

#include "transport/http/file_versions.hh"
#include "transport/http/response_check.hh"
#include "transport/http_transport.hh"

namespace tributary::transport {

/// The value of Range; empty if the request is for the whole file.
std::string range_field(const RangeRequest& request);

/// The value of If-Range for the request; empty if the request must not have one. By it the origin notices that the
/// file has changed, even if its answers do not tell the version.
std::string if_range(const RangeRequest& request, const FileVersions& versions);

/// Turns a response, of either protocol, into the events of its request. Gives out only bytes of the requested range.
class RangeAnswer {
 public:
  /// Appends its events to `events`, which must outlive the answer.
  RangeAnswer(RangeRequest request, std::deque<Event>& events) : request_{std::move(request)}, events_{&events} {}

  const RangeRequest& request() const { return request_; }

  /// Takes the head of the final response. Returns a rejection if there is a reason for one; the request has then
  /// failed.
  std::optional<Rejection> on_head(const ResponseHead& head, FileVersions& versions);
  /// To be called when it is this response's turn.
  void begin() {
    if (!ended_) events_->emplace_back(ResponseBegan{request_.id, size_});
  }
  /// Not to be called for a rejected response. False if the body is longer than announced; the request has then failed.
  bool on_body(std::span<const std::byte> bytes);
  /// Ends the response: done if it brought the whole range, otherwise failed with this reason and detail.
  void end(FailureReason reason, std::string detail);
  /// Ends a response with a complete body: failed if it brought only the beginning of the range.
  void end_of_body();

  /// Nothing more is expected of it: what comes is to be discarded.
  bool rejected() const { return ended_; }
  /// Bytes that may still come; before the head, those of the whole range.
  DataSize left() const { return body_.end - next_; }
  bool has_given_bytes() const { return next_ > request_.range.begin; }

 private:
  std::optional<Rejection> other_version(const ResponseHead& head, FileVersions& versions) const;
  Rejection changed(std::string detail) const;
  void fail(Rejection why);
  void finish();
  bool has_brought_all() const {
    return next_ == request_.range.end || next_ == size_ || (request_.whole_file() && next_ == body_.end);
  }

  RangeRequest request_;
  std::deque<Event>* events_;
  ByteRange body_ = request_.range;       // the bytes that the response carries
  DataSize next_ = request_.range.begin;  // first byte not yet given out
  std::optional<DataSize> size_;          // of the file, if the request is open and the head states it
  bool ended_ = false;                    // the request has had its last event
};

}  // namespace tributary::transport
