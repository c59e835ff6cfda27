#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "fault_run.hh"

namespace tributary::testing {

/// How a link dies.
enum class Death {
  kDown,            // the machine sees it
  kAddressRemoved,  // so it does, a few milliseconds later
  kNoRoute,         // nothing gets through; who connects is told that there is no route
  kSilent,          // nothing gets through, and nobody says so
  kCrawl,           // 1 kbit/s
};
inline constexpr std::array kDeaths{Death::kDown, Death::kAddressRemoved, Death::kNoRoute, Death::kSilent,
                                    Death::kCrawl};
std::string_view to_string(Death death);

/// Two links, of 3 Mbit/s and 40 ms, and of 2 Mbit/s and 100 ms, of which one dies while a title plays whose lowest quality takes
/// 1 Mbit/s, with a buffer of one segment.
struct KilledLink {
  std::uint32_t link = 0;
  TimePoint at;
  Death death{};
  SubsegmentApproach approach = SubsegmentApproach::kBalanced;
  std::string adaptation = "fixed:low";
  std::optional<TimePoint> back;  // it works again
};
std::string describe(const KilledLink& killed);

struct KilledResult {
  FaultResult run;
  std::size_t stalls = 0;  // from then on
  Duration stalled{};
  /// What somebody has who knows at once that the link is dead, and lets the other one bring what is missing of what has been
  /// started, and then the lowest quality; it has the other link's rate, and a round trip until the first byte.
  std::size_t unavoidable_stalls = 0;
  Duration unavoidable{};
  /// Until the session did something about what the link owed, since that was to come; nothing if it owed nothing.
  std::optional<Duration> noticed;
  /// Until the other link was asked for it; so late if there was time, because the link might not be dead.
  std::optional<Duration> handed_over;
  /// After it came back: until it had brought its share, by the rates of the links, of what came in the second before.
  std::optional<Duration> carries_again;
  /// The same, or the share that it had brought until it died, if that is less: where a link was idle, the thesis counts its round
  /// trip against it.
  std::optional<Duration> carries_as_before;
};
KilledResult run(const KilledLink& killed);

}  // namespace tributary::testing
