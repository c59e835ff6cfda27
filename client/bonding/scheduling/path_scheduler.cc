#include "bonding/scheduling/path_scheduler.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <stdexcept>
#include <vector>

#include "bonding/scheduling/earliest_delivery.hh"
#include "bonding/scheduling/free_window.hh"
#include "bonding/scheduling/layer_priority.hh"
#include "bonding/scheduling/one_path.hh"
#include "bonding/scheduling/prism.hh"
#include "bonding/scheduling/random_path.hh"
#include "bonding/scheduling/round_robin.hh"
#include "bonding/scheduling/send_vector.hh"
#include "bonding/scheduling/surplus_round_robin.hh"
#include "bonding/scheduling/weighted_round_robin.hh"

namespace tributary::bonding {
namespace {

template <typename Scheduler>
std::unique_ptr<PathScheduler> make(std::uint64_t /*seed*/) {
  return std::make_unique<Scheduler>();
}

std::unique_ptr<PathScheduler> make_random(std::uint64_t seed) { return std::make_unique<RandomPath>(seed); }

template <Sharing sharing>
std::unique_ptr<PathScheduler> make_layers(std::uint64_t /*seed*/) {
  return std::make_unique<LayerPriority>(sharing);
}

constexpr std::array<SchedulerKind, 11> kKinds{{
    {"earliest-delivery", WindowKind::kPaced, WhenClosed::kWait, false, make<EarliestDelivery>},
    {"prism", WindowKind::kCcid2, WhenClosed::kDrop, false, make<Prism>},
    {"free-window", WindowKind::kCcid2, WhenClosed::kDrop, false, make<FreeWindow>},
    {"send-vector", WindowKind::kUnlimited, WhenClosed::kDrop, true, make<SendVector>},
    {"wrr", WindowKind::kUnlimited, WhenClosed::kDrop, true, make<WeightedRoundRobin>},
    {"round-robin", WindowKind::kUnlimited, WhenClosed::kDrop, false, make<RoundRobin>},
    {"one-path", WindowKind::kPaced, WhenClosed::kWait, true, make<OnePath>},
    {"random", WindowKind::kUnlimited, WhenClosed::kDrop, false, make_random},
    {"surplus-round-robin", WindowKind::kUnlimited, WhenClosed::kDrop, true, make<SurplusRoundRobin>},
    {"layer-priority", WindowKind::kUnlimited, WhenClosed::kDrop, true, make_layers<Sharing::kSpill>},
    {"layer-priority-whole", WindowKind::kUnlimited, WhenClosed::kDrop, true, make_layers<Sharing::kWhole>},
}};

}  // namespace

std::span<const SchedulerKind> scheduler_kinds() { return kKinds; }

const SchedulerKind& scheduler_kind(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name, &SchedulerKind::name);
  if (found != kKinds.end()) return *found;
  const auto names = kKinds | std::views::transform(&SchedulerKind::name);
  throw std::invalid_argument(
      fmt::format("scheduler \"{}\": expected {}", name, fmt::join(std::vector(names.begin(), names.end()), ", ")));
}

}  // namespace tributary::bonding
