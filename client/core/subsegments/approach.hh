#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/named_enum.hh"
#include "units/data_size.hh"

namespace tributary {

class SubsegmentPlanner;

/// How segments are divided among links. Traces have these by their names.
enum class SubsegmentApproach { kStatic, kDynamic, kBalanced };

/// The properties of an approach that parts of a session ask for.
struct ApproachTraits {
  SubsegmentApproach approach{};
  std::string_view name;
  bool counts_bytes = false;             // that a link owes; else its requests (SessionOptions::depth)
  std::string_view adaptation;           // where the user names none
  std::uint32_t duplicates_percent = 0;  // likewise
  std::unique_ptr<SubsegmentPlanner> (*make_planner)(DataSize subsegment_size) = nullptr;
};

/// All there are, in the order of the enumerators.
std::span<const ApproachTraits> approaches();
const ApproachTraits& traits_of(SubsegmentApproach approach);

std::span<const std::string_view> names_of(SubsegmentApproach approach);
inline bool counts_bytes(SubsegmentApproach approach) { return traits_of(approach).counts_bytes; }
std::unique_ptr<SubsegmentPlanner> make_planner(SubsegmentApproach approach, DataSize subsegment_size);

}  // namespace tributary
