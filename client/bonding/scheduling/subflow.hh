#pragma once

#include <cstdint>

#include "units/data_rate.hh"

namespace tributary::bonding {

/// A part of what is sent, by its importance: 0 is the most important. Layers of a video are subflows: each is of use only
/// with those before it.
enum class Subflow : std::uint8_t {};

struct SubflowRate {
  Subflow subflow{};
  DataRate rate;
};

}  // namespace tributary::bonding
