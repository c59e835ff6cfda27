#include "apps/get/early_answer.hh"

#include <algorithm>

#include "apps/get/patient_download.hh"

namespace tributary {
namespace {

// Beyond the end of any object: an answer is as long as there are bytes (RFC 9110 section 14.1.2).
constexpr ByteRange kAll{DataSize{0}, DataSize{std::int64_t{1} << 53}};

}  // namespace

std::optional<Duration> EarlyAnswer::advance(const std::optional<AskedLink>& asked) {
  if (first_) return std::nullopt;
  const TimePoint now{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
  if (!transport_) {
    if (!link_) {
      if (!asked) return std::nullopt;
      link_ = asked;
      asked_ = now;
    }
    const TimePoint begin = asked_ + PatientDownload::patience(link_->turnaround);
    if (now < begin) return begin - now;
    transport_ = connect_(link_->name, versions_);
    transport_->submit({.id = RequestId{1}, .target = target_, .range = kAll, .file_size = {}}, now);
  }
  transport_->advance(now);
  first_ = transport_->next_event();
  const auto deadline = transport_->next_deadline();
  if (first_ || !deadline) return std::nullopt;
  return std::max(*deadline - now, Duration{});
}

}  // namespace tributary
