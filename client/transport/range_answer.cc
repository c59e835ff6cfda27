#include "transport/range_answer.hh"

#include <fmt/format.h>

#include <utility>

namespace tributary::transport {

std::optional<Rejection> RangeAnswer::on_head(const ResponseHead& head, FileVersions& versions) {
  auto checked = check_response(request_, head);
  if (auto* rejection = std::get_if<Rejection>(&checked)) {
    fail(rejection->reason, rejection->detail, rejection->retry_after);
    return std::move(*rejection);
  }
  if (auto other = other_version(head, versions)) {
    fail(other->reason, other->detail);
    return other;
  }
  body_ = std::get<ByteRange>(checked);
  return std::nullopt;
}

std::optional<Rejection> RangeAnswer::other_version(const ResponseHead& head, FileVersions& versions) const {
  if (is_strong(request_.etag) && is_strong(head.etag) && head.etag != request_.etag)
    return Rejection{FailureReason::kEntityChanged,
                     fmt::format("another ETag: {}, expected was {}", head.etag, request_.etag), true};
  const FileVersion version{head.etag, head.last_modified, stated_size(head)};
  if (request_.stands_alone) {
    versions.begin_anew(request_.target, version);
  } else if (const auto other = versions.contradiction(request_.target, version)) {
    return Rejection{FailureReason::kVersionsDiffer, *other, true};
  }
  return std::nullopt;
}

bool RangeAnswer::on_body(std::span<const std::byte> bytes) {
  const DataSize size{static_cast<std::int64_t>(bytes.size())};
  if (size > left()) {  // only a body without Content-Length can
    end(FailureReason::kProtocol, "a body longer than its Content-Range");
    return false;
  }
  events_->emplace_back(BodyReceived{request_.id, next_, bytes});
  next_ += size;
  return true;
}

void RangeAnswer::end_of_body() {
  end(FailureReason::kRangeMismatch,
      fmt::format("the answer ended at byte {} of {}", (next_ - request_.range.begin).bytes(),
                  request_.range.size().bytes()));
}

void RangeAnswer::end(FailureReason reason, std::string detail) {
  if (ended_) return;
  if (next_ == request_.range.end) {
    ended_ = true;
    events_->emplace_back(RequestDone{request_.id});
  } else {
    fail(reason, std::move(detail));
  }
}

void RangeAnswer::fail(FailureReason reason, std::string detail, std::optional<Duration> retry_after) {
  ended_ = true;
  events_->emplace_back(RequestFailed{request_.id, reason, std::move(detail), retry_after});
}

}  // namespace tributary::transport
