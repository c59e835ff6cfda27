#include "core/subsegments/approach.hh"

#include <algorithm>
#include <array>
#include <cassert>

#include "core/subsegments/balanced_subsegments.hh"
#include "core/subsegments/dynamic_subsegments.hh"
#include "core/subsegments/static_subsegments.hh"

namespace tributary {
namespace {

template <typename Planner>
std::unique_ptr<SubsegmentPlanner> make_sized(DataSize subsegment_size) {
  return std::make_unique<Planner>(subsegment_size);
}

std::unique_ptr<SubsegmentPlanner> make_balanced(DataSize subsegment_size) {
  return std::make_unique<BalancedSubsegments>(balanced_request(subsegment_size));
}

constexpr std::uint32_t kDuplicatesPercent = 5;

constexpr std::array<ApproachTraits, 3> kApproaches{{
    // Static ranges are late again and again where links differ: bringing them twice costs more than it saves.
    {"static", false, false, false, "thesis", 0, make_sized<StaticSubsegments>},
    {"dynamic", false, false, false, "thesis", kDuplicatesPercent, make_sized<DynamicSubsegments>},
    {"balanced", true, true, true, "planned", kDuplicatesPercent, make_balanced},
}};

}  // namespace

std::span<const ApproachTraits> approaches() { return kApproaches; }

const ApproachTraits& traits_of(SubsegmentApproach approach) {
  const auto index = static_cast<std::size_t>(approach);
  assert(index < kApproaches.size());
  return kApproaches[index];
}

std::span<const std::string_view> names_of(SubsegmentApproach /*any*/) {
  static const auto names = [] {
    std::array<std::string_view, kApproaches.size()> all;
    std::ranges::transform(kApproaches, all.begin(), &ApproachTraits::name);
    return all;
  }();
  return names;
}

std::unique_ptr<SubsegmentPlanner> make_planner(SubsegmentApproach approach, DataSize subsegment_size) {
  return traits_of(approach).make_planner(subsegment_size);
}

}  // namespace tributary
