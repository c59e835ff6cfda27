#include "transport/http/curl_head.hh"

#include <utility>

#include "units/text/quantity_text.hh"

namespace tributary::transport {

CurlHead::CurlHead(CurlHandle& handle) {
  handle.set(CURLOPT_HEADERDATA, this);
  handle.set(CURLOPT_HEADERFUNCTION, &CurlHead::on_line);
}

std::size_t CurlHead::on_line(char* bytes, std::size_t /*one*/, std::size_t size, void* self) {
  auto& head = *static_cast<CurlHead*>(self);
  head.left_ -= static_cast<std::int64_t>(size);
  if (head.left_ < 0) return 0;  // makes libcurl end the transfer
  head.take({bytes, size});
  return size;
}

void CurlHead::take(std::string_view line) {
  const bool is_blank = line.find_first_not_of("\r\n") == std::string_view::npos;
  if (complete_) {
    ResponseLines next;
    if (is_blank || !next.take(line)) return;  // a trailer
    lines_ = std::move(next);
    text_ = line;
    complete_ = false;
    return;
  }
  text_ += line;
  if (is_blank) {
    complete_ = true;
  } else {
    lines_.take(line);
  }
}

std::optional<Rejection> CurlHead::unreadable() const {
  if (left_ < 0) return Rejection{FailureReason::kProtocol, "the head is longer than " + format_size(kLongestHead)};
  return check_transfer(fields());
}

std::optional<Rejection> CurlHead::defect(DifferingLengths lengths) const {
  if (auto rejection = unreadable()) return rejection;
  if (!complete_ || lines_.empty())
    return Rejection{FailureReason::kClosedMidBody, "the origin closed within the head of its answer"};
  const std::string length = lines_.length_defect(lengths);
  if (!length.empty() && !fields().delimited) return Rejection{FailureReason::kProtocol, length};
  return std::nullopt;
}

}  // namespace tributary::transport
