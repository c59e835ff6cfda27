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

/// What the best choices would have reached on the same links, with the start-up and the buffer of the session.
struct Possible {
  double mean_level = 0;
  std::uint64_t misses = 0;
};

/// What the links that cost nothing could have done.
struct FreeLinks {
  DataSize capacity;  // until the end
  std::optional<DataSize>
      least_spared;  // what others had to bring all the same; nothing if the session was not played whole
};

/// What a run is called in its summary: known to whoever started it, not to the session.
struct RunLabels {
  std::string run_id;
  std::uint64_t seed = 0;
  std::string version;
  std::string scenario;  // empty on real links
  std::string movie;
  std::optional<double> capacity_bits;  // what all links could have carried until the end; modelled links only
  std::optional<Possible> possible;     // modelled links only
  std::optional<FreeLinks> free_links;  // the same, where some link costs something
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
  double qoe_lin = 0, qoe_log = 0;
  DataSize bytes, wasted;
  std::optional<Bill> bill;
  double throughput_kbit_s = 0;
};

Summary summarise(const SessionRecord& record, const SessionOptions& options);

/// The share of the possible mean level that was reached. Nothing where that is not known, or 0.
std::optional<double> efficiency(const Summary& summary, const std::optional<Possible>& possible);

/// summary.json: an object with the names and units of docs/metrics.md. What is not known is null.
nlohmann::ordered_json summary_json(const Summary& summary, const SessionRecord& record, const SessionOptions& options,
                                    const RunLabels& labels);

}  // namespace tributary
