#include "core/subsegments/approach.hh"

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
    {SubsegmentApproach::kStatic, "static", false, "thesis", 0, make_sized<StaticSubsegments>},
    {SubsegmentApproach::kDynamic, "dynamic", false, "thesis", kDuplicatesPercent, make_sized<DynamicSubsegments>},
    {SubsegmentApproach::kBalanced, "balanced", true, "planned", kDuplicatesPercent, make_balanced},
}};

}  // namespace

std::span<const ApproachTraits> approaches() { return kApproaches; }

const ApproachTraits& traits_of(SubsegmentApproach approach) {
  const auto index = static_cast<std::size_t>(approach);
  assert(index < kApproaches.size() && kApproaches[index].approach == approach);
  return kApproaches[index];
}

std::string_view name_of(SubsegmentApproach approach) {
  return static_cast<std::size_t>(approach) < kApproaches.size() ? traits_of(approach).name : std::string_view{};
}

std::unique_ptr<SubsegmentPlanner> make_planner(SubsegmentApproach approach, DataSize subsegment_size) {
  return traits_of(approach).make_planner(subsegment_size);
}

}  // namespace tributary
