#include "report/summary.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>

#include "core/qualities/experience.hh"

namespace tributary {
namespace {

using nlohmann::ordered_json;

double megabits(const SegmentTable& table, QualityIndex quality) {
  return table.bitrate(quality).bits_per_second() / 1e6;
}

/// Quality of the played segments: shares, means, switches, and measures of experience.
void add_quality(Summary& summary, const SessionRecord& record, const SessionOptions& options,
                 const std::vector<const SegmentRecord*>& played) {
  const SegmentTable& table = record.table();
  summary.shares.assign(table.quality_count(), 0);
  double level = 0;
  double bitrate = 0;
  double steps = 0;
  std::vector<QualityIndex> qualities;
  for (std::size_t i = 0; i < played.size(); ++i) {
    const QualityIndex quality = played[i]->quality;
    summary.shares[to_index(quality)] += 1;
    level += static_cast<double>(to_index(quality));
    bitrate += megabits(table, quality);
    if (i == 0 || !table.continues(played[i]->segment)) qualities.push_back(quality);
    if (i == 0 || quality == played[i - 1]->quality) continue;
    ++summary.switches;
    steps += std::abs(megabits(table, quality) - megabits(table, played[i - 1]->quality));
  }
  const auto count = static_cast<double>(std::max<std::size_t>(played.size(), 1));
  for (double& share : summary.shares) share /= count;
  summary.mean_level = level / count;
  summary.mean_bitrate_kbit_s = bitrate / count * 1e3;
  summary.mean_step_kbit_s = summary.switches > 0 ? steps / static_cast<double>(summary.switches) * 1e3 : 0;
  const auto experience = [&](const std::string& measure) {
    return Experience::read(measure).of(qualities, summary.startup.value_or(Duration{}), summary.miss_total, table);
  };
  summary.qoe = experience(options.experience);
  summary.qoe_lin = experience("mao2017-lin");
  summary.qoe_log = experience("mao2017-log");
}

/// `latencies`: of the first frames of segments.
std::optional<Latency> latency_of(std::vector<Duration> latencies, Duration target) {
  constexpr Duration kNear = std::chrono::milliseconds{500};
  if (latencies.empty()) return std::nullopt;
  std::ranges::sort(latencies);
  const auto at = [&](double share) {
    return latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))];
  };
  Latency latency{at(0.5), at(0.95), {}};
  if (target > Duration{}) {
    const auto near =
        std::ranges::count_if(latencies, [&](Duration l) { return std::chrono::abs(l - target) <= kNear; });
    latency.near_target = static_cast<double>(near) / static_cast<double>(latencies.size());
  }
  return latency;
}

void add_liveness(Summary& summary, const SessionRecord& record, const SessionOptions& options,
                  const std::vector<const SegmentRecord*>& played) {
  std::vector<Duration> lags, latencies;
  for (const SegmentRecord* s : played) {
    if (const auto lag = s->lag()) {  // without a lag: a player may show a segment before its publication is told
      lags.push_back(*lag);
      latencies.push_back(*lag + record.table().duration(s->segment));
    }
  }
  summary.latency = latency_of(std::move(latencies), options.latency);
  summary.speed_changes = record.speed_changes();
  if (!lags.empty()) {
    summary.lag_max = std::ranges::max(lags);
    summary.lag_mean = std::accumulate(lags.begin(), lags.end(), Duration{}) / static_cast<Duration::rep>(lags.size());
    summary.lag_end = lags.back();
    summary.additional_delay_max = *summary.lag_max - lags.front();
  }
  // The start-up waits until the last of the initial segments exists; the rest of it is their transfer.
  const auto last_initial = static_cast<SegmentIndex>(options.segments_to_start() - 1);
  const auto it = record.segments().find(last_initial);
  if (it != record.segments().end() && it->second.published) {
    summary.initial_transfer = *played.front()->played - std::max(*it->second.published, TimePoint{});
  }
}

std::optional<TimePoint> last_byte_of(const SessionRecord& record) {
  std::optional<TimePoint> last;
  for (const RequestRecord& r : record.requests()) {
    if (r.last_byte && (!last || *r.last_byte > *last)) last = r.last_byte;
  }
  return last;
}

ordered_json or_null(const std::optional<Duration>& value) {
  return value ? ordered_json(to_seconds(*value)) : ordered_json(nullptr);
}

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

/// The name with underscores: members of a summary, and their values, have no hyphens.
std::string name_in_summary(StreamingMode mode) {
  std::string name{name_of(mode)};
  std::ranges::replace(name, '-', '_');
  return name;
}

ordered_json links_json(const SessionRecord& record, DataSize total) {
  ordered_json links = ordered_json::array();
  for (const auto& [id, link] : record.links()) {
    Duration busy = link.busy;
    if (link.busy_since) busy += record.now() - *link.busy_since;
    ordered_json entry;
    entry["name"] = link.name;
    entry["bytes"] = link.received.bytes();
    entry["share"] = total > DataSize{} ? link.received / total : 0.0;
    entry["connections"] = link.most_connections;
    entry["requests"] = link.requests;
    entry["failures"] = link.failures;
    entry["goodput_kbit_s"] = busy > Duration{} ? (link.received / busy).kilobits_per_second() : 0.0;
    entry["busy_s"] = to_seconds(busy);
    if (link.cost.spared()) {
      entry["cost"] = name_of(link.cost.kind);
      entry["price_per_mb"] = link.cost.price_per_mb;
      entry["money"] = link.cost.price_per_mb * static_cast<double>(link.received.bytes()) / 1e6;
    }
    links.push_back(entry);
  }
  return links;
}

}  // namespace

Summary summarise(const SessionRecord& record, const SessionOptions& options) {
  Summary summary;
  const SegmentTable& table = record.table();
  summary.startup_delay = options.segments_to_start() * table.duration(SegmentIndex{0});
  std::vector<const SegmentRecord*> played;
  Duration play_time{};
  std::optional<TimePoint> first_request;
  std::uint64_t frames = 0, lost = 0;
  for (const auto& [index, s] : record.segments()) {
    summary.bytes += s.received;
    if (s.received > s.size) summary.wasted += s.received - s.size;
    if (s.skipped) ++summary.skipped;
    if (s.lowered_from) ++summary.lowered;
    if (s.requested && !first_request) first_request = s.requested;
    if (!s.played) continue;
    played.push_back(&s);
    play_time += table.duration(index);
    frames += s.frames;
    lost += s.frames_lost;
    if (s.frames_lost > 0) ++summary.cut_short;
    if (s.miss <= Duration{}) continue;
    ++summary.misses;
    summary.miss_total += s.miss;
    summary.miss_max = std::max(summary.miss_max, s.miss);
  }
  summary.played = played.size();
  if (frames > 0) summary.frames_shown = 1 - static_cast<double>(lost) / static_cast<double>(frames);
  summary.explained = explain_misses(record, options);
  const std::optional<TimePoint> last_byte = last_byte_of(record);
  if (first_request && last_byte && *last_byte > *first_request) {
    summary.throughput_kbit_s =
        ((summary.bytes - summary.wasted) / (*last_byte - *first_request)).kilobits_per_second();
  }
  if (!played.empty()) summary.startup = summary.initial_transfer = played.front()->played->time_since_epoch();
  add_quality(summary, record, options, played);
  summary.bill = bill_of(record, options);
  if (played.empty()) return summary;
  summary.rebuffer_ratio = to_seconds(summary.miss_total) / to_seconds(summary.miss_total + play_time);
  if (is_live(options.mode)) add_liveness(summary, record, options, played);
  return summary;
}

std::optional<double> efficiency(const Summary& summary, const std::optional<Possible>& possible) {
  if (!possible || possible->mean_level <= 0) return std::nullopt;
  return summary.mean_level / possible->mean_level;
}

ordered_json summary_json(const Summary& s, const SessionRecord& record, const SessionOptions& options,
                          const RunLabels& labels) {
  ordered_json out;
  out["run_id"] = labels.run_id;
  out["seed"] = labels.seed;
  out["version"] = labels.version;
  out["scenario"] = labels.scenario.empty() ? ordered_json(nullptr) : ordered_json(labels.scenario);
  out["complete"] = record.complete();
  out["ended_because"] = record.ended_because();
  out["links"] = links_json(record, s.bytes);
  out["movie"] = labels.movie;
  out["mode"] = name_in_summary(options.mode);
  out["subsegment"] = name_of(options.subsegments);
  out["subsegment_bytes"] = options.subsegment_size.bytes();
  out["abr"] = options.adaptation;
  out["pipeline_depth"] = options.depth;
  out["buffer_segments"] = options.buffer_segments;
  out["duplicates_percent"] = options.duplicates_percent;
  out["timing"] = name_of(options.timing);
  out["forecast"] = options.plan_forecast ? "plan" : "own";
  out["without"] = options.without;
  out["start"] = name_of(options.start);
  out["startup_delay_s"] = to_seconds(s.startup_delay);
  out["segments_played"] = s.played;
  out["segments_skipped"] = s.skipped;
  out["segments_lowered"] = s.lowered;
  for (std::size_t q = 0; q < s.shares.size(); ++q) out[fmt::format("share_q{}", q)] = s.shares[q];
  out["mean_level"] = s.mean_level;
  out["mean_bitrate_kbit_s"] = s.mean_bitrate_kbit_s;
  out["startup_s"] = or_null(s.startup);
  out["initial_transfer_s"] = or_null(s.initial_transfer);
  out["misses"] = s.misses;
  out["miss_total_s"] = to_seconds(s.miss_total);
  out["miss_max_s"] = to_seconds(s.miss_max);
  const auto worst = worst_miss(s.explained);
  out["worst_miss"] = worst ? ordered_json(worst->text) : ordered_json(nullptr);
  out["worst_miss_avoided_by"] = worst ? ordered_json(worst->avoided_by) : ordered_json(nullptr);
  out["rebuffer_ratio"] = s.rebuffer_ratio;
  out["switches"] = s.switches;
  out["mean_step_kbit_s"] = s.mean_step_kbit_s;
  out["lag_max_s"] = or_null(s.lag_max);
  out["lag_mean_s"] = or_null(s.lag_mean);
  out["lag_end_s"] = or_null(s.lag_end);
  out["additional_delay_max_s"] = or_null(s.additional_delay_max);
  if (options.latency > Duration{}) {
    out["latency_target_s"] = to_seconds(options.latency);
    out["latency_median_s"] = s.latency ? ordered_json(to_seconds(s.latency->median)) : ordered_json(nullptr);
    out["latency_p95_s"] = s.latency ? ordered_json(to_seconds(s.latency->p95)) : ordered_json(nullptr);
    out["latency_near_target"] = s.latency ? or_null(s.latency->near_target) : ordered_json(nullptr);
    out["speed_changes"] = s.speed_changes;
  }
  if (options.partial == PartialSegments::kPlay) {
    out["segments_cut_short"] = s.cut_short;
    out["frames_shown"] = or_null(s.frames_shown);
  }
  out["qoe_measure"] = options.experience;
  out["qoe"] = s.qoe;
  out["qoe_lin"] = s.qoe_lin;
  out["qoe_log"] = s.qoe_log;
  out["bytes_total"] = s.bytes.bytes();
  out["bytes_wasted"] = s.wasted.bytes();
  out["throughput_kbit_s"] = s.throughput_kbit_s;
  const bool capacity_known = labels.capacity_bits && *labels.capacity_bits > 0;
  out["utilisation"] = capacity_known ? ordered_json(8 * static_cast<double>(s.bytes.bytes()) / *labels.capacity_bits)
                                      : ordered_json(nullptr);
  const auto& possible = labels.possible;
  out["oracle_mean_level"] = possible ? ordered_json(possible->mean_level) : ordered_json(nullptr);
  out["oracle_misses"] = possible ? ordered_json(possible->misses) : ordered_json(nullptr);
  out["efficiency"] = or_null(efficiency(s, possible));
  if (s.bill) {
    out["spend_for"] = options.spend_for;
    out["slack_segments"] = options.slack_segments;
    const ordered_json bill = bill_json(*s.bill);
    for (const auto& [name, value] : bill.items()) out["bill_" + name] = value;
    const auto& free = labels.free_links;
    const bool least_known = free && free->least_spared;
    out["bill_possible_bytes"] = least_known ? ordered_json(free->least_spared->bytes()) : ordered_json(nullptr);
    const bool any_free = free && free->capacity > DataSize{};
    out["bill_free_utilisation"] =
        any_free ? ordered_json(s.bill->free_bytes_used / free->capacity) : ordered_json(nullptr);
  }
  return out;
}

}  // namespace tributary
