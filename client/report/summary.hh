#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/session_options.hh"
#include "report/bill.hh"
#include "report/miss_explanation.hh"
#include "report/session_record.hh"

namespace tributary {

/// The result of the best choices on the same links, with the start-up and the buffer of the session
/// (oracle/oracle.hh).
struct Possible {
  double mean_level = 0;
  std::uint64_t misses = 0;
};

/// The possibilities of the free links.
struct FreeLinks {
  DataSize capacity;                     // until the end
  std::optional<DataSize> least_spared;  // oracle/least_spared.hh; nothing if the session was not played whole
};

/// Facts about a run that its summary states and that only the program knows, not the session.
struct RunLabels {
  std::string run_id;
  std::uint64_t seed = 0;
  std::string version;
  std::string scenario;  // empty on real links
  std::string movie;
  std::optional<double> capacity_bits;  // of all links until the end; modelled links only
  std::optional<Possible> possible;     // modelled links only
  std::optional<FreeLinks> free_links;  // modelled links only, and only if a link is spared
};

/// From the capture of a frame to when it plays, without the time for encoding and publishing. Of the first frames of
/// segments, or of partial segments.
struct Latency {
  Duration median{}, p95{};
  std::optional<double> near_target;  // share of them within half a second of SessionOptions::latency
};

/// The figures of one session. Definitions: docs/metrics.md.
struct Summary {
  std::uint64_t played = 0, skipped = 0, lowered = 0;
  std::vector<double> shares;  // of the played segments, by quality
  double mean_level = 0, mean_bitrate_kbit_s = 0;
  Duration startup_delay{};
  std::optional<Duration> startup, initial_transfer;
  std::uint64_t misses = 0;
  Duration miss_total{}, miss_max{};
  std::vector<MissExplanation> explained;  // misses and skips
  double rebuffer_ratio = 0;
  std::uint64_t switches = 0;
  double mean_step_kbit_s = 0;
  std::optional<Duration> lag_max, lag_mean, lag_end, additional_delay_max;  // live only
  std::optional<Latency> latency;                                            // live only
  std::uint64_t speed_changes = 0;                                           // that were steered
  std::uint64_t cut_short = 0;         // segments that were played without all of their frames
  std::optional<double> frames_shown;  // share of the frames of played segments, where these are told
  double qoe = 0, qoe_lin = 0, qoe_log = 0;
  DataSize bytes, wasted;
  std::optional<Bill> bill;
  double throughput_kbit_s = 0;
};

Summary summarise(const SessionRecord& record, const SessionOptions& options);

/// The reached share of the possible mean level. Nothing if the possible one is unknown or 0.
std::optional<double> efficiency(const Summary& summary, const std::optional<Possible>& possible);

/// The content of summary.json: an object with the names and units of docs/metrics.md. Unknown values are null.
nlohmann::ordered_json summary_json(const Summary& summary, const SessionRecord& record, const SessionOptions& options,
                                    const RunLabels& labels);

}  // namespace tributary
