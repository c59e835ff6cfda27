#include "core/qualities/adaptations/planned_adaptation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/qualities/quality_plan.hh"
#include "core/qualities/returning_rate.hh"
#include "core/qualities/segments_ahead.hh"

namespace tributary {
namespace {

constexpr std::size_t kSegments = 8, kMostOfBuffer = 12;
constexpr std::size_t kMostOfGroups = 160;  // partial segments: more are no better, and a hostile title has any number
constexpr double kDrift = 0.7;              // of the spread
constexpr double kKeptRates = 0.8;          // of the weight of a rate, with each segment
constexpr double kSpreads = 1.75;           // kept in hand
constexpr double kSpare = 0.06;             // s; packets do not come evenly

QualityPlan plan_from(const AdaptationInput& input, const SegmentTable& table, double bytes_per_second) {
  const bool playing = input.time_left_playout > Duration::zero();
  const double room = to_seconds(input.capacity - table.duration(input.segment));
  const auto of_buffer = static_cast<std::size_t>(room / to_seconds(table.duration(input.segment)));
  const SegmentsAhead ahead{table};
  const std::size_t first = to_index(input.segment), last = first + std::min(kSegments * ahead.group(), kMostOfGroups) +
                                                            std::min(of_buffer, kMostOfBuffer);
  const std::size_t end = table.complete() ? std::min(last, table.segment_count()) : last;
  QualityPlan plan;
  // Playout begins when what it waits for is there; that of a live title comes as it is published.
  const bool begins_then = input.segments_to_begin && !input.begins_by_memory && !input.next_publication;
  if (begins_then)
    plan.starting = *input.segments_to_begin;
  else
    plan.before = static_cast<double>(input.bytes_left.bytes()) / bytes_per_second;
  const bool in_order = playing || input.begins_by_memory || begins_then;
  double due = to_seconds(input.time_left_playout + input.buffered + (in_order ? input.under_way : Duration::zero()));
  double published = input.next_publication ? to_seconds(*input.next_publication) : 0;
  for (std::size_t i = first; i < end; ++i) {
    const Duration duration = ahead.duration(i);
    PlannedSegment segment{i == first ? 0 : std::max({0.0, due - room, published}), due, {}};
    for (std::size_t q = 0; q < table.quality_count(); ++q)
      segment.takes.push_back(ahead.bytes(i, static_cast<QualityIndex>(q)) / bytes_per_second);
    segment.continues = i > first && ahead.continues(i);
    segment.share = 1.0 / static_cast<double>(ahead.group());
    plan.segments.push_back(std::move(segment));
    if (i > first && input.next_publication) published += to_seconds(duration);
    due += to_seconds(duration);
  }
  return plan;
}

/// A rate goes on for as long as it does, in however many segments: a group changes it as one segment would.
void drift_by_groups(QualityPlan& plan, std::size_t group) {
  if (group < 2) return;
  plan.kept = std::pow(kReturn, 1 / static_cast<double>(group));
  plan.drift *= std::sqrt((1 - plan.kept * plan.kept) / (1 - kReturn * kReturn));
}

/// Standstill in seconds if the segment is complete after `to_come`, and all later segments are of the lowest quality.
double stall(const SegmentOnItsWay& way, DataSize to_come, const ReturningRate& rate, const SegmentTable& table) {
  const std::size_t first = to_index(way.segment), end = std::min(first + kSegments, table.segment_count());
  auto bytes = static_cast<double>(to_come.bytes());
  double due = to_seconds(way.due), longest = 0;
  for (std::size_t i = first; i < end; ++i) {
    const auto segment = static_cast<SegmentIndex>(i);
    if (i > first) bytes += static_cast<double>(table.size(segment, QualityIndex{0}).bytes());
    longest = std::max(longest, rate.takes(bytes) + kSpare - due);
    due += to_seconds(table.duration(segment));
  }
  return longest;
}

// Points, of which each level is one.
constexpr double kWhatHasCome = 1;  // of a segment that would be asked for anew
constexpr double kStall = 1;        // however short it is
constexpr double kLateness = 5;     // a second

double cost_of_stall(double seconds) { return seconds > 0 ? kStall + kLateness * seconds : 0; }

}  // namespace

QualityChoice PlannedAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  const auto first = choice_before_measurements(input, table);
  QualityChoice choice = first ? *first : decide(input, table);
  last_ = input.segment;
  previous_ = choice.quality;
  return choice;
}

std::optional<QualityChoice> PlannedAdaptation::lowered(const SegmentOnItsWay& way, const SegmentTable& table) {
  const double now = way.throughput.bits_per_second() / 8;
  const double long_run = weight_ > 0 ? std::exp(sum_ / weight_) : now;
  const ReturningRate rate{now, long_run, to_seconds(table.duration(way.segment))};
  const double stays = stall(way, way.to_come, rate, table);
  double most = static_cast<double>(to_index(way.quality)) - cost_of_stall(stays) + kWhatHasCome, best_stall = stays;
  QualityIndex best = way.quality;
  for (std::size_t q = 0; q < way.anew.size(); ++q) {
    const double stands = stall(way, way.anew[q], rate, table);
    const double value = static_cast<double>(q) - cost_of_stall(stands);
    if (value <= most) continue;
    most = value;
    best = static_cast<QualityIndex>(q);
    best_stall = stands;
  }
  if (best == way.quality) return std::nullopt;
  if (way.segment == last_) previous_ = best;
  return QualityChoice{best, fmt::format("{} would stop playout for {:.3f} s at {:.0f} kbit/s; {} for {:.3f} s",
                                         table.quality_name(way.quality), stays, way.throughput.kilobits_per_second(),
                                         table.quality_name(best), best_stall)};
}

QualityChoice PlannedAdaptation::decide(const AdaptationInput& input, const SegmentTable& table) {
  const double rate = std::log(input.throughput->bits_per_second() / 8);
  const double in_the_long_run = with_former_rates(rate);
  QualityPlan plan = plan_from(input, table, std::exp(in_the_long_run));
  plan.now = in_the_long_run - rate;
  if (!rules_.look_ahead) plan.segments.resize(1);
  plan.worth = experience_.worths(table);
  plan.stall = experience_.stall_cost(table);
  plan.start = experience_.start_cost(table);
  plan.change = rules_.switch_bound ? experience_.change : 0;
  if (rules_.spread) plan.drift = kDrift * input.spread;
  drift_by_groups(plan, SegmentsAhead{table}.group());
  // In segments, beside the one that plays.
  const double buffer = to_seconds(input.capacity) / to_seconds(table.duration(input.segment)) - 1;
  if (buffer > 1.5) {
    const bool margin = experience_.margin || input.reserve > Duration::zero();
    plan.slowest = 1 + (rules_.spread && margin ? kSpreads * input.spread : 0);
    plan.spare = kSpare + to_seconds(input.reserve);
  }
  plan.previous = to_index(previous_);
  const PlannedQuality planned = plan_quality(plan);
  const auto quality = static_cast<QualityIndex>(planned.quality),
             safe = static_cast<QualityIndex>(planned.highest_safe);
  return {quality,
          fmt::format("{} is best for {} segments at {:.0f} kbit/s, due in {:.3f} s; up to {} is safe {:.0f} % slower",
                      table.quality_name(quality), plan.segments.size(), input.throughput->kilobits_per_second(),
                      plan.segments.front().due, table.quality_name(safe), 100 * (plan.slowest - 1))};
}

double PlannedAdaptation::with_former_rates(double rate) {
  weight_ = kKeptRates * weight_ + 1;
  sum_ = kKeptRates * sum_ + rate;
  return sum_ / weight_;
}

}  // namespace tributary
