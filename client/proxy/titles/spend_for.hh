#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "proxy/rewriting/ladders.hh"
#include "units/data_rate.hh"

namespace tributary::proxy {

/// Up to which quality links that cost something help (--spend-for).
class SpendFor {
 public:
  /// "lowest", "stall", or a height as "720p". Throws std::invalid_argument that lists these.
  explicit SpendFor(const std::string& quality = "lowest");

  /// Of rungs from the lowest bitrate on: the highest one that is spent for, the lowest at least. Nothing: bytes are paid
  /// for only where playout would stall.
  std::optional<std::size_t> rung(std::span<const Rung> rungs) const;
  /// The highest bitrate that is spent for, of all ladders. Nothing: as above, or nothing is known of a ladder.
  std::optional<DataRate> bitrate(std::span<const Ladder> ladders) const;

 private:
  std::optional<int> height_;  // 0: the lowest quality
};

}  // namespace tributary::proxy
