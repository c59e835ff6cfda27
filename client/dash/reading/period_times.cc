#include "dash/reading/period_times.hh"

#include <fmt/format.h>

#include <algorithm>

#include "dash/bounds.hh"
#include "dash/mpd_error.hh"

namespace tributary::dash {
namespace {

[[noreturn]] void refuse(const Period& period, std::string_view why) {
  throw MpdError{fmt::format("{}: {}", period.place, why)};
}

void resolve_starts(Mpd& mpd) {
  std::optional<Duration> next = Duration{};  // where a period without a start begins
  std::optional<Duration> last;
  for (Period& period : mpd.periods) {
    if (!period.start) period.start = next;
    if (!period.start && !mpd.dynamic)
      refuse(period, "neither its \"start\" nor the end of the period before is stated");
    next = period.start && period.duration ? std::optional{*period.start + *period.duration} : std::nullopt;
    if (next && *next > kLongestTime) refuse(period, "it ends later than 100 years");
    if (!period.start) continue;
    if (last && *period.start < *last) refuse(period, "it begins before the period before it");
    last = period.start;
  }
}

}  // namespace

void resolve_period_times(Mpd& mpd) {
  resolve_starts(mpd);
  std::optional<Duration> next;  // the start of the period after this one
  bool last = true;
  for (std::size_t i = mpd.periods.size(); i-- > 0; last = false) {
    Period& period = mpd.periods[i];
    if (!period.start) continue;  // its times are not known yet
    if (next) {
      const Duration room = *next - *period.start;
      period.duration = std::min(period.duration.value_or(room), room);
    } else if (last && !period.duration && mpd.presentation_duration) {
      period.duration = std::max(*mpd.presentation_duration - *period.start, Duration{});
    }
    next = period.start;
  }
}

}  // namespace tributary::dash
