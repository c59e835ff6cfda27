#include "transport/sockets/progress_timer.hh"

#include <algorithm>

namespace tributary::transport {

Duration ProgressTimer::longest_silence(std::optional<Duration> round_trip) const {
  const Duration rtt = round_trip.value_or(Duration{0});
  const Duration allowance = cold_ ? rtt + limits_.cold_allowance : Duration{0};
  return std::max(limits_.minimum, limits_.round_trips * rtt) + allowance;
}

}  // namespace tributary::transport
