#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/named_enum.hh"
#include "units/data_size.hh"

namespace tributary {

class SubsegmentPlanner;

/// How segments are divided among links: a row of approaches(). Traces have these by their names; those that no code
/// names have no enumerator.
enum class SubsegmentApproach { kStatic, kDynamic, kBalanced };

/// The properties of an approach that parts of a session ask for.
struct ApproachTraits {
  std::string_view name;
  bool room_in_bytes = false;            // that a link may owe; else in requests (SessionOptions::depth)
  bool busy_rates = false;               // a link's rate is that while it is busy, and its waits are known (BusyRate)
  bool lowers = false;                   // what comes late may be asked for anew in a lower quality
  std::string_view adaptation;           // where the user names none
  std::uint32_t duplicates_percent = 0;  // likewise
  std::unique_ptr<SubsegmentPlanner> (*make_planner)(DataSize subsegment_size) = nullptr;
};

/// All there are; the enumerators come first, in their order.
std::span<const ApproachTraits> approaches();
const ApproachTraits& traits_of(SubsegmentApproach approach);

std::span<const std::string_view> names_of(SubsegmentApproach approach);
std::unique_ptr<SubsegmentPlanner> make_planner(SubsegmentApproach approach, DataSize subsegment_size);

}  // namespace tributary
