#include "bonding/scheduling/earliest_delivery.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr Duration kStay = 3ms;
// Until a path has been measured, it is worth a try.
constexpr DataRate kUnknownRate = DataRate::bits_per_second(1e6);
constexpr Duration kUnknownDelay = 50ms;

DataRate rate_of(const PathView& path) {
  return std::max(path.rate.value_or(kUnknownRate), DataRate::bits_per_second(1e3));
}

/// When a closed window opens: feedback frees a packet in the time that the path takes to deliver one.
TimePoint opens_at(const PathView& path, DataSize size, TimePoint now) {
  return path.opens_at.value_or(now + size / rate_of(path));
}

}  // namespace

TimePoint EarliestDelivery::delivered_at(const PathView& path, DataSize size, TimePoint now) {
  const Duration delay = path.least_delay.value_or(kUnknownDelay);
  const DataRate rate = rate_of(path);
  // What is on its way beyond the bytes that fill the path stands in its queue.
  const DataSize queue = std::max(path.in_flight.size - rate * delay, DataSize{});
  return now + path.overdue + queue / rate + size / rate + delay / 2;
}

std::optional<PathId> EarliestDelivery::choose(const NextPacket& packet, std::span<const PathView> paths,
                                               TimePoint now) {
  const auto alone = [&](const PathView& path) {
    return delivered_at(path, packet.size, opens_at(path, packet.size, now));
  };
  const auto best = std::ranges::min_element(paths, {}, alone);
  if (best == paths.end()) return std::nullopt;
  const auto last =
      std::ranges::find_if(paths, [&](const PathView& path) { return path.id == last_path(packet.flow); });
  if (last != paths.end() && is_open(*last, now) && alone(*last) <= alone(*best) + kStay) return last->id;
  if (is_open(*best, now)) return best->id;

  const TimePoint all_by_best = delivered_at(*best, packet.backlog, opens_at(*best, packet.size, now));
  const PathView* other = nullptr;
  for (const PathView& path : paths) {
    if (is_open(path, now) && (other == nullptr || alone(path) < alone(*other))) other = &path;
  }
  return other != nullptr && alone(*other) < all_by_best ? std::optional{other->id} : std::nullopt;
}

}  // namespace tributary::bonding
