#include "transport/range_answer.hh"

#include <fmt/format.h>

#include <utility>

namespace tributary::transport {

std::optional<Rejection> RangeAnswer::on_head(const ResponseHead& head, EntityTags& tags) {
  auto checked = check_response(request_, head);
  if (auto* rejection = std::get_if<Rejection>(&checked)) {
    fail(rejection->reason, rejection->detail);
    return std::move(*rejection);
  }
  if (!tags.agree(request_.target, request_.etag) || !tags.agree(request_.target, head.etag)) {
    Rejection changed{FailureReason::kEntityChanged, "another ETag than before: " + head.etag, true};
    fail(changed.reason, changed.detail);
    return changed;
  }
  body_ = std::get<ByteRange>(checked);
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

void RangeAnswer::fail(FailureReason reason, std::string detail) {
  ended_ = true;
  events_->emplace_back(RequestFailed{request_.id, reason, std::move(detail)});
}

}  // namespace tributary::transport
