#include "core/qualities/qualities.hh"

#include <fmt/format.h>

#include <algorithm>

#include "core/session_state.hh"
#include "core/subsegments/balanced_subsegments.hh"

namespace tributary {

namespace {

/// Share of the latency, while it is steered. Two links just carried the highest quality, and one of them died every half minute:
/// without a reserve there were 12 stalls in ten minutes, with it there was none.
constexpr double kReserve = 0.3;

/// Links whose last request failed, as long as there is another: they are asked again, but may bring nothing. A group of
/// segments in a quality that counts on them would be late as a whole.
void leave_out_failed(LinkEstimates& links, const LinkTable& table) {
  const auto has_failed = [&](const LinkEstimate& link) { return table.at(link.link).failures_in_a_row > 0; };
  if (std::ranges::all_of(links, has_failed)) return;
  links.erase(std::ranges::remove_if(links, has_failed).begin(), links.end());
}

/// The player is somebody else's. What it has in hand takes the place of our buffer, and of all segments that are on their
/// way to it. If it waits for this segment, segments for which nobody waits come later, and their bytes do not count.
void of_player(AdaptationInput& input, const SessionState& s) {
  input.time_left_playout = *s.demand.in_hand();
  input.buffered = input.under_way = Duration{};
  input.segments_to_begin.reset();
  input.capacity = s.demand.capacity(s.timeline.table().duration(input.segment));
  for (const SegmentAssembly& other : s.book.segments()) {
    if (s.demand.due(input.segment) && !s.demand.due(other.segment())) input.bytes_left -= other.missing();
  }
  input.bytes_left = std::max(input.bytes_left, DataSize{});  // some are asked for twice
}

}  // namespace

void Qualities::segment_complete(SegmentIndex segment, double speed, TimePoint now) {
  if (auto measurement = meter_.segment_complete(now)) {
    // Rules count in time of the timeline: at twice the speed, the links bring half as much in it.
    if (speed != 1) measurement->duration = from_seconds(to_seconds(measurement->duration) * speed);
    adaptation_->measured(*measurement);
  }
  forecast_errors_.complete(segment, now);
}

void Qualities::choose_by_user(const event::QualityChosen& choice, const SegmentTable& table) {
  by_user_ = choice.quality;
  if (by_user_) by_user_ = std::min(*by_user_, table.highest_quality());
  at_most_ = choice.at_most;
}

void Qualities::seek(SegmentIndex first_missing) {
  if (first_segment_) first_segment_ = first_missing;
  by_memory_when_played_.reset();
}

Qualities::Start Qualities::choose_next(const LinkEstimates& links, const SessionState& s) {
  const std::optional<DataRate> throughput = throughput_of(links, s);
  if (first_segment_ == s.timeline.next_segment()) {
    by_memory_when_played_.reset();
    if (throughput && std::ranges::any_of(links, &LinkEstimate::remembered))
      by_memory_when_played_ = s.playout.segments_played();
  }
  QualityChoice choice = choose(throughput, s);
  first_segment_.reset();
  last_ = choice.quality;
  return {std::move(choice), throughput};
}

AdaptationInput Qualities::input(std::optional<DataRate> throughput, const SessionState& s) const {
  const PlayoutBuffer& playout = s.playout.buffer();
  const SegmentTable& table = s.timeline.table();
  const SegmentIndex segment = s.timeline.next_segment();
  // Files on their way to somebody else's player, as its sound, are not what it begins with.
  const std::size_t level = s.demand.in_hand() ? 0 : playout.buffered_segments() + s.book.segments().size();
  const bool begins_by_memory = by_memory_when_played_ == s.playout.segments_played();
  AdaptationInput input;
  input.segment = segment;
  input.first = s.options.start == StartRule::kThesis && first_segment_ == segment;
  input.throughput = throughput;
  input.time_left_playout = playout.time_left_playout(s.now);
  input.buffered = playout.buffered();
  input.bytes_left = s.book.bytes_to_come();
  input.under_way = tributary::under_way(s.book, table);
  // The capacity of the buffer, and the segment that plays.
  input.capacity = (s.options.buffer_segments + 1) * table.duration(segment);
  if (s.timeline.live()) input.next_publication = s.playout.media_time(s.timeline.next_publication(s.now));
  if (!playout.started())
    input.segments_to_begin =
        s.options.segments_to_start() - std::min<std::size_t>(level, s.options.segments_to_start());
  input.spread = forecast_errors_.spread();
  input.reserve = from_seconds(kReserve * to_seconds(s.options.latency));
  input.latency = LatencyControl::latency(s).value_or(Duration{});
  input.target_latency = s.options.latency + s.playout.accepted_lag();
  input.begins_by_memory = begins_by_memory && (level == 0 || level >= s.options.segments_to_start());
  if (s.demand.in_hand()) of_player(input, s);
  if (s.spending.costs.any()) Spending::leave_margin(input, s);
  return input;
}

QualityChoice Qualities::choose(std::optional<DataRate> throughput, const SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  const SegmentIndex segment = s.timeline.next_segment();
  if (table.continues(segment) && !first_segment_) return {last_, "it continues the segment before"};
  if (by_user_) return {*by_user_, "chosen by the user"};
  const double speed = s.playout.buffer().speed();
  if (throughput && speed != 1) throughput = *throughput / speed;  // in time of the timeline, as all of it
  const AdaptationInput input = this->input(throughput, s);
  if (s.options.plan_forecast && throughput) adaptation_->told(*throughput);
  QualityChoice choice = adaptation_->choose(input, table);
  if (s.spending.costs.any()) choice = s.spending.within_spending(std::move(choice), s);
  if (at_most_ && choice.quality > *at_most_)
    choice = {*at_most_, choice.reason + "; the user wants at most " + table.quality_name(*at_most_)};
  if (throughput && *throughput > DataRate{} && s.options.mode != StreamingMode::kDownload) {
    const DataSize to_come = input.bytes_left + table.size(segment, choice.quality);
    forecast_errors_.expected(segment, s.now, to_come / (speed * *throughput));
  }
  if (speed != 1) choice.reason += fmt::format(" (all at {} times the speed)", speed);
  return choice;
}

/// The rate of all links together for a choice of quality. A standby link does not count, unless there is no other.
std::optional<DataRate> Qualities::throughput_of(const LinkEstimates& links, const SessionState& s) const {
  const OutstandingRequests& outstanding = s.book.outstanding();
  const SegmentIndex segment = s.timeline.next_segment();
  LinkEstimates in_use;
  for (const LinkEstimate& link : links) {
    if (s.links.at(link.link).use == LinkUse::kUse) in_use.push_back(link);
  }
  if (in_use.empty()) in_use = links;  // those of them that are not spared
  if (s.options.latency > Duration{}) leave_out_failed(in_use, s.links);
  const bool by_memory = first_segment_ == segment;  // its rates were never measured, and may be wrong by far
  for (LinkEstimate& link : in_use) {
    if (!link.remembered || by_memory) continue;
    link.throughput = s.links.at(link.link).dependable_rate(link.link, outstanding, s.now);
  }
  const std::optional<DataRate> sum = aggregate(in_use);
  if (!traits_of(s.options.subsegments).busy_rates || !sum || s.timeline.all_known_started()) return sum;
  // The plan has the bytes that links owe, and the wait for the first byte of their next requests.
  DataSize planned = *sum * s.timeline.table().duration(segment);
  for (const SegmentAssembly& other : s.book.segments()) planned += other.new_bytes();
  const Duration end = balanced_shares(planned, in_use).end;
  return end > Duration::zero() ? std::min(*sum, (outstanding.bytes_left() + planned) / end) : sum;
}

}  // namespace tributary
