#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/described.hh"
#include "core/named_enum.hh"
#include "core/subsegments/approach.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

enum class StreamingMode {
  kOnDemand,        // everything exists from the start
  kLiveBuffered,    // requests wait for publication; misses accumulate lag
  kLiveUnbuffered,  // start-up and buffer of one segment; segments are skipped when the lag exceeds one
                    // segment
  kDownload,        // everything exists, nothing plays: segments are delivered as they are complete, or in order
  kDemanded,        // segments are files that a player of somebody else wants, one by one, and when it wants them
};

inline std::span<const std::string_view> names_of(StreamingMode) {
  static constexpr std::array<std::string_view, 5> kNames{"ondemand", "live-buffered", "live-unbuffered", "download",
                                                          "demanded"};
  return kNames;
}

/// Segments come into being while the session runs.
inline bool is_live(StreamingMode mode) {
  return mode == StreamingMode::kLiveBuffered || mode == StreamingMode::kLiveUnbuffered;
}

/// The session plays what it receives, or knows a player that does. Otherwise complete segments are delivered at once.
inline bool plays(StreamingMode mode) { return mode != StreamingMode::kDownload && mode != StreamingMode::kDemanded; }

/// The quality of the first segment.
enum class StartRule {
  kThesis,  // the highest: it cannot miss a deadline, and gives the most measurements
  kFast,    // as the adaptation decides; without a measurement, the lowest: it is there at once
};

inline std::span<const std::string_view> names_of(StartRule) {
  static constexpr std::array<std::string_view, 2> kNames{"thesis", "fast"};
  return kNames;
}

/// How subsegments measure a link, with static and dynamic subsegments.
enum class LinkTiming {
  kOurs,         // SubsegmentTimes
  kFromRequest,  // thesis section 4.2.4: an average of rates, each from when the request was sent
  kFromTurn,     // the same, from when the link turned to the request: the text can be read so, too
};

inline std::span<const std::string_view> names_of(LinkTiming) {
  static constexpr std::array<std::string_view, 3> kNames{"ours", "request", "turn"};
  return kNames;
}

/// Which source tells what plays.
enum class PlayoutSource {
  kAssumed,   // by the clock: complete segments play at once, and without a pause
  kReported,  // a player tells (event::PlayoutReported)
};

inline std::span<const std::string_view> names_of(PlayoutSource) {
  static constexpr std::array<std::string_view, 2> kNames{"assumed", "reported"};
  return kNames;
}

/// What becomes of a segment that is not complete when it is to play.
enum class PartialSegments {
  kWait,  // playout stands still until it is complete
  kPlay,  // it begins to play, and the rest comes meanwhile (partial_play.hh)
};

inline std::span<const std::string_view> names_of(PartialSegments) {
  static constexpr std::array<std::string_view, 2> kNames{"wait", "play"};
  return kNames;
}

/// SessionOptions::spend_for: the lowest quality; or no quality, and only bytes that would be a stall.
constexpr const char* kSpendForLowest = "lowest";
constexpr const char* kSpendForStall = "stall";

/// A session is a function of these options, the presentation and the events.
struct SessionOptions {
  StreamingMode mode = StreamingMode::kOnDemand;
  SubsegmentApproach subsegments = SubsegmentApproach::kBalanced;
  DataSize subsegment_size{100'000};
  std::uint32_t depth = 2;               // outstanding requests per link; balanced subsegments count bytes instead
  std::uint32_t buffer_segments = 6;     // also the start-up delay; download: segments in flight
  std::string adaptation = "thesis";     // quality_adaptation.hh knows the others
  std::uint32_t duplicates_percent = 5;  // of all bytes: the share that two links may be asked for (take_over.hh)
  Duration give_up_after = std::chrono::seconds{60};  // without a byte while some are wanted
  std::uint32_t startup_segments =
      0;  // complete before playout begins, also after a seek; 0: as many as the buffer holds
  StartRule start = StartRule::kThesis;
  PlayoutSource playout = PlayoutSource::kAssumed;
  std::string spend_for = kSpendForLowest;  // the quality up to which a rule may count on links that cost something
  std::uint32_t slack_segments =
      0;  // bytes are left to a free link if it brings them this many segments early; 0: the margin (spending.hh)
  bool plan_forecast = false;  // rules that measure the throughput themselves are told the plan's forecast instead
  LinkTiming timing = LinkTiming::kOurs;
  std::string experience =
      "yin2015-patient";  // qualities/experience.hh: what planned and robust-mpc maximise (usual_experience)
  std::string without;    // rules.hh
  bool stays_open =
      false;              // when everything is delivered, too, because it may still be seeked: ends with StopRequested
  bool in_order = false;  // download: a segment is delivered behind all before it; it counts as in flight until then

  PartialSegments partial = PartialSegments::kWait;
  Duration latency{};             // live: how far behind the edge playout is steered to be; 0: it is not steered
  Duration latency_limit{};       // beyond it, segments are skipped until the edge is as near as it should be; 0: never
  std::uint32_t connections = 0;  // of each link to the origin; 0: as many as bring more (lane_count.hh)

  std::uint32_t segments_to_start() const { return startup_segments > 0 ? startup_segments : buffer_segments; }
  /// Live: how many segments the session finds published when it begins, the newest just then; 0 on demand. Playout is
  /// behind the live edge by a full buffer, whether it waits until that is full or begins before.
  std::uint32_t segments_at_start() const { return is_live(mode) ? buffer_segments + 1 - segments_to_start() : 0; }

  bool operator==(const SessionOptions&) const = default;
  static constexpr std::string_view kName = "options";
  static constexpr auto fields() {
    return std::tuple{field("mode", &SessionOptions::mode),
                      field("subsegments", &SessionOptions::subsegments),
                      field("subsegment_size", &SessionOptions::subsegment_size),
                      field("depth", &SessionOptions::depth),
                      field("buffer", &SessionOptions::buffer_segments),
                      field("adaptation", &SessionOptions::adaptation),
                      field("duplicates_percent", &SessionOptions::duplicates_percent),
                      field("give_up_after", &SessionOptions::give_up_after),
                      later_field("startup", &SessionOptions::startup_segments),
                      later_field("start", &SessionOptions::start),
                      later_field("playout", &SessionOptions::playout),
                      later_field("stays_open", &SessionOptions::stays_open),
                      later_field("spend_for", &SessionOptions::spend_for),
                      later_field("slack_segments", &SessionOptions::slack_segments),
                      later_field("plan_forecast", &SessionOptions::plan_forecast),
                      later_field("timing", &SessionOptions::timing),
                      later_field("experience", &SessionOptions::experience),
                      later_field("without", &SessionOptions::without),
                      later_field("in_order", &SessionOptions::in_order),
                      later_field("partial", &SessionOptions::partial),
                      later_field("connections", &SessionOptions::connections),
                      later_field("latency", &SessionOptions::latency),
                      later_field("latency_limit", &SessionOptions::latency_limit)};
  }
};

/// For an origin that refuses large ranges, and does not say what is large: requests of this size, none of which is larger, and
/// so many that a link of 50 Mbit/s is busy for 125 ms.
inline constexpr DataSize kSmallRange{50'000};
void ask_for_small_ranges(SessionOptions& options, DataSize size = kSmallRange);

/// For playout at SessionOptions::latency behind the edge of a title whose segments, or partial segments, last `segment`: the
/// buffer holds as much, and playout begins with the first of them.
void follow_live_edge(SessionOptions& options, Duration segment);

/// SessionOptions::duplicates_percent where the user names none (docs/algorithms/repair.md).
std::uint32_t usual_duplicates(SubsegmentApproach approach, StreamingMode mode);

/// SessionOptions::experience where the user names none: the start-up counts fully where playout begins early.
std::string usual_experience(const SessionOptions& options);

/// Throws std::invalid_argument that names the option and what it may be.
void validate(const SessionOptions& options);

}  // namespace tributary
