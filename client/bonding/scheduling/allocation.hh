#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "units/data_rate.hh"

namespace tributary::bonding {

/// How subflows share channels: one uses what another leaves of a channel, as the text of MC² says, or each has channels of
/// its own, as its tables show.
enum class Sharing { kSpill, kWhole };

/// What a subflow sends over a channel.
struct Share {
  std::size_t channel = 0;  // its place in the list of channels
  DataRate rate;

  bool operator==(const Share&) const = default;
};

/// Gives the best channels to the most important subflows (MC², section III-C): each subflow takes what it needs of the first
/// channels that are left. One that does not fit is not carried, and neither is any after it.
/// `subflows`: what each needs, the most important first. `channels`: what each carries, the best first.
/// Returns the shares of each subflow; none: it is not carried.
std::vector<std::vector<Share>> allocate(std::span<const DataRate> subflows, std::span<const DataRate> channels,
                                         Sharing sharing);

}  // namespace tributary::bonding
