#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tributary {

enum class LinkId : std::uint32_t {};        // in order of appearance; a link that returns keeps its id. Also of a lane
enum class RequestId : std::uint64_t {};     // counts from 1 within a session, never used twice
enum class SegmentIndex : std::uint32_t {};  // counts from 0 within a presentation
enum class QualityIndex : std::uint32_t {};  // 0 is the lowest of the ladder

template <typename Id>
requires std::is_enum_v<Id>
constexpr std::size_t to_index(Id id) { return static_cast<std::size_t>(id); }

template <typename Id>
requires std::is_enum_v<Id>
constexpr Id next(Id id) { return static_cast<Id>(static_cast<std::underlying_type_t<Id>>(id) + 1); }

// ---- Lanes: the connections that a link has to an origin at the same time. Each has an id of its own; the first has that of
// the link.

inline constexpr std::uint32_t kLinksAtMost = 1U << 16U;

constexpr LinkId lane_of(LinkId link, std::uint32_t lane) {
  return static_cast<LinkId>(static_cast<std::uint32_t>(link) + lane * kLinksAtMost);
}
constexpr LinkId link_of(LinkId lane) { return static_cast<LinkId>(static_cast<std::uint32_t>(lane) % kLinksAtMost); }
/// Not the first connection of its link.
constexpr bool is_lane(LinkId id) { return link_of(id) != id; }

}  // namespace tributary
