#include "proxy/titles/waits.hh"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tributary::proxy {
namespace {

std::string rate_text(DataRate rate) {
  const double kilobits = rate.kilobits_per_second();
  return kilobits < 1000 ? fmt::format("{:.0f} kbit/s", kilobits) : fmt::format("{:.1f} Mbit/s", kilobits / 1000);
}

}  // namespace

void Waits::is_late(std::uint64_t file, Duration late_for, const StallReason& reason) {
  const std::lock_guard lock{mutex_};
  if (late_.empty()) {
    const auto ago = std::chrono::duration_cast<std::chrono::system_clock::duration>(late_for);
    waits_.push_back({std::chrono::system_clock::now() - ago, late_for, reason});
    if (waits_.size() > kMost) waits_.pop_front();
  }
  late_.insert(file);
  Wait& wait = waits_.back();
  wait.length = std::max(wait.length, late_for);
  // What a link did at the beginning tells more than that all are slow now.
  if (reason.cause != StallReason::Cause::kLinksTooSlow) wait.reason = reason;
}

void Waits::ended(std::uint64_t file) {
  const std::lock_guard lock{mutex_};
  late_.erase(file);
}

std::vector<Wait> Waits::all() const {
  const std::lock_guard lock{mutex_};
  return {waits_.begin(), waits_.end()};
}

std::string sentence(const StallReason& reason) {
  using enum StallReason::Cause;
  switch (reason.cause) {
    case kNoLink:
      return "No link could be used.";
    case kUsedUp:
      return fmt::format("{} has brought all bytes that it may, and there is no other link.", reason.link);
    case kNotPublished:
      return "The server did not have the file yet.";
    case kLinkLost:
      return fmt::format("{} owed a part, and went away.", reason.link);
    case kLinkFailed:
      return fmt::format("{} owed a part, and its connection was lost.", reason.link);
    case kLinkSilent:
      return fmt::format("{} owed a part, and brought nothing.", reason.link);
    case kLinkSlow:
      return fmt::format("{} was slower than before.", reason.link);
    case kLinksTooSlow:
      return reason.rate ? fmt::format("All links together brought {}, which is less than the player asked for.",
                                       rate_text(*reason.rate))
                         : "All links together were too slow.";
    case kUnknown:
      break;
  }
  return "The reason is not known.";
}

}  // namespace tributary::proxy
