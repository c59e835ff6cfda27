#include "download/search/plain_download.hh"

#include <fmt/format.h>

namespace tributary {

void PlainDownload::begin(const std::string& link) {
  discard();
  link_ = link;
  received_ = {};
}

void PlainDownload::take(const transport::ObjectHead& head, std::span<const std::byte> bytes) {
  if (destination_ == nullptr) {
    destination_ = &open_(head);
    if (line_ != nullptr) {
      const std::string why = !why_in_order_.empty() ? why_in_order_
                              : ranges_failed_       ? "ranges of the object are of no use"
                              : head.size            ? "the server does not know ranges"
                                                     : "the server does not say how long the object is";
      line_->say(fmt::format("{}: one request, over {}", why, link_));
    }
    destination_->note({head.url, head.size.value_or(DataSize{}), head.etag, head.last_modified, {}});
  }
  destination_->write(received_, bytes);
  received_ += size_of(bytes);
  if (line_ == nullptr || !line_->wanted(now())) return;
  const Duration time = now().time_since_epoch();
  const DataRate rate = time > Duration{} ? received_ / time : DataRate{};
  line_->show({received_, head.size, rate, {{link_, rate}}}, now());
}

void PlainDownload::finish(const transport::ObjectHead& head) {
  if (destination_ == nullptr) destination_ = &open_(head);  // not one byte
  destination_->finish(received_);
  destination_ = nullptr;
}

void PlainDownload::discard() {
  if (destination_ != nullptr) destination_->discard();
  destination_ = nullptr;
}

TimePoint PlainDownload::now() const {
  return TimePoint{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

}  // namespace tributary
