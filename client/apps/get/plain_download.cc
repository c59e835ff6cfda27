#include "apps/get/plain_download.hh"

#include <fmt/format.h>

namespace tributary {

void PlainDownload::begin(const std::string& link) {
  discard();
  link_ = link;
  received_ = {};
}

void PlainDownload::take(const transport::ObjectHead& head, std::span<const std::byte> bytes) {
  if (!file_) {
    may_begin_();
    if (line_ != nullptr) {
      line_->say(fmt::format("the server {}: one request, over {}",
                             head.size ? "does not know ranges" : "does not say how long the object is", link_));
    }
    file_.emplace(path_, PartFile::Content::kFresh);
  }
  file_->write(received_, bytes);
  received_ += DataSize{static_cast<std::int64_t>(bytes.size())};
  if (line_ == nullptr || !line_->wanted(now())) return;
  const Duration time = now().time_since_epoch();
  const DataRate rate = time > Duration{} ? received_ / time : DataRate{};
  line_->show({received_, head.size, rate, {{link_, rate}}}, now());
}

void PlainDownload::finish() {
  if (!file_) {  // not one byte
    may_begin_();
    file_.emplace(path_, PartFile::Content::kFresh);
  }
  file_->finish(received_);
  file_.reset();
}

void PlainDownload::discard() {
  if (file_) file_->discard();
  file_.reset();
}

TimePoint PlainDownload::now() const {
  return TimePoint{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

}  // namespace tributary
