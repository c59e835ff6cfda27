#include "netlab/emulated_link.hh"

#include "netlab/deadline.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

LinkCondition towards_client(const EmulatedCondition& condition) {
  LinkCondition result = condition.link;
  result.up = result.up && !condition.blackhole;
  return result;
}

LinkCondition towards_server(const EmulatedCondition& condition) {
  LinkCondition result = towards_client(condition);
  result.jitter = Duration{};
  return result;
}

void read_frames(VirtualDevice& device, LinkShaper& shaper, TimePoint now) {
  constexpr int kFairShare = 64;  // frames until it is the other links' turn
  for (int i = 0; i < kFairShare; ++i) {
    auto bytes = device.read();
    if (!bytes) return;
    shaper.enqueue({std::move(*bytes), VirtualDevice::kHeader}, now);
  }
}

void write_frames(LinkShaper& shaper, VirtualDevice& device, TimePoint now) {
  for (const Frame& frame : shaper.take_arrived(now)) device.write(frame.bytes);
}

}  // namespace

EmulatedLink::EmulatedLink(std::string name, VirtualDevice client, VirtualDevice server, const LinkCondition& condition,
                           std::uint64_t seed)
    : name_{std::move(name)},
      condition_{.link = condition},
      client_{std::move(client)},
      server_{std::move(server)},
      to_client_{towards_client(condition_), 2 * seed},
      to_server_{towards_server(condition_), 2 * seed + 1} {
  client_.set_carrier(condition.up);
}

void EmulatedLink::change(const EmulatedCondition& condition, TimePoint now) {
  if (condition.link.up != condition_.link.up) client_.set_carrier(condition.link.up);
  condition_ = condition;
  to_client_.change(towards_client(condition_), now);
  to_server_.change(towards_server(condition_), now);
}

void EmulatedLink::read_from_client(TimePoint now) { read_frames(client_, to_server_, now); }
void EmulatedLink::read_from_server(TimePoint now) { read_frames(server_, to_client_, now); }

std::optional<TimePoint> EmulatedLink::deliver(TimePoint now) {
  write_frames(to_client_, client_, now);
  write_frames(to_server_, server_, now);
  return earlier(to_client_.next_deadline(), to_server_.next_deadline());
}

}  // namespace tributary
