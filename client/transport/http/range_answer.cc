#include "transport/http/range_answer.hh"

#include <fmt/format.h>

#include <utility>

namespace tributary::transport {

std::string range_field(const RangeRequest& request) {
  if (request.whole_file()) return "";
  return fmt::format("bytes={}-{}", request.range.begin.bytes(), request.range.end.bytes() - 1);
}

std::string if_range(const RangeRequest& request, const FileVersions& versions) {
  return request.stands_alone ? "" : versions.strong_tag(request.target);
}

std::optional<Rejection> RangeAnswer::on_head(const ResponseHead& head, FileVersions& versions) {
  auto checked = check_response(request_, head);
  if (!std::holds_alternative<Rejection>(checked) && !request_.file_size) {
    if (auto coded = check_unasked_coding(head)) checked = *std::move(coded);
  }
  if (auto* rejection = std::get_if<Rejection>(&checked)) {
    // If the file has changed, a request with If-Range gets the whole file, with another ETag.
    const std::string before = versions.strong_tag(request_.target);
    if (rejection->reason == FailureReason::kRangeIgnored && is_strong(head.etag) && are_other_tags(head.etag, before))
      *rejection = changed(fmt::format("200 with another ETag: {}, it was {}", head.etag, before));
    fail(*rejection);
    return std::move(*rejection);
  }
  if (auto other = other_version(head, versions)) {
    fail(*other);
    return other;
  }
  body_ = std::get<ByteRange>(checked);
  if (request_.open) size_ = stated_size(head);
  if (body_.empty()) {  // the range begins behind the end of the file; what comes is text for people
    begin();
    finish();
  }
  return std::nullopt;
}

std::optional<Rejection> RangeAnswer::other_version(const ResponseHead& head, FileVersions& versions) const {
  if (request_.stands_alone) {
    versions.begin_anew(request_.target, version_of(head));
  } else if (auto other = versions.contradiction(request_.target, version_of(head))) {
    return changed(*std::move(other));
  }
  return std::nullopt;
}

Rejection RangeAnswer::changed(std::string detail) const {
  const auto reason = request_.version_chosen ? FailureReason::kEntityChanged : FailureReason::kVersionsDiffer;
  return {.reason = reason, .detail = std::move(detail), .close_connection = true};
}

bool RangeAnswer::on_body(std::span<const std::byte> bytes) {
  const DataSize size{static_cast<std::int64_t>(bytes.size())};
  if (size > left()) {  // only a body without Content-Length can be larger
    if (request_.whole_file() && !size_)
      fail({.reason = FailureReason::kProtocol,
            .detail =
                fmt::format("a body without a length, of more than the {} bytes that can be kept", body_.end.bytes())});
    else
      end(FailureReason::kProtocol, "a body longer than its Content-Range");
    return false;
  }
  events_->emplace_back(BodyReceived{request_.id, next_, bytes});
  next_ += size;
  return true;
}

void RangeAnswer::end_of_body() {
  if (request_.whole_file() && !size_ && !ended_) return finish();
  end(FailureReason::kRangeMismatch,
      fmt::format("the answer ended at byte {} of {}", (next_ - request_.range.begin).bytes(),
                  request_.range.size().bytes()));
}

void RangeAnswer::end(FailureReason reason, std::string detail) {
  if (ended_) return;
  if (has_brought_all()) {
    finish();
  } else {
    fail({.reason = reason, .detail = std::move(detail)});
  }
}

void RangeAnswer::finish() {
  ended_ = true;
  events_->emplace_back(RequestDone{request_.id});
}

void RangeAnswer::fail(Rejection why) {
  ended_ = true;
  events_->emplace_back(RequestFailed{request_.id, why.reason, std::move(why.detail), why.retry_after,
                                      std::move(why.location), why.beyond_end});
}

}  // namespace tributary::transport
