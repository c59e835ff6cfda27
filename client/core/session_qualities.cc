// In which quality the session requests segments.

#include "core/session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/balanced_subsegments.hh"

namespace tributary {
namespace {

// How often it is looked whether what is on its way comes in time.
constexpr Duration kLookAtQualities = std::chrono::milliseconds{100};

}  // namespace

void Session::start_segment(const LinkEstimates& links) {
  if (options_.mode == StreamingMode::kLiveUnbuffered) skip_to_live_edge();
  const SegmentIndex segment = next_segment_;
  const std::optional<DataRate> throughput = throughput_for_quality(links);
  if (first_segment_ == segment)
    begins_by_memory_ = throughput && std::ranges::any_of(links, &LinkEstimate::remembered);
  const QualityChoice choice = choose_quality(throughput);
  first_segment_.reset();
  last_quality_ = choice.quality;
  assembling_.push_back(begin(segment, choice, throughput));
  planner_->segment_started();
  next_segment_ = next(segment);
}

SegmentAssembly Session::begin(SegmentIndex segment, const QualityChoice& choice, std::optional<DataRate> throughput) {
  std::vector<DataSize> sizes;
  const auto add_parts = [&](const std::vector<SegmentPart>& parts) {
    for (const SegmentPart& part : parts) sizes.push_back(part.size());
  };
  std::optional<SegmentIndex>& initialised = initialised_[to_index(choice.quality)];
  const bool comes_later = initialised && *initialised > segment && find_segment(*initialised) != nullptr;
  if (!initialised || comes_later) {
    add_parts(table_.init_parts(choice.quality));
    initialised = segment;
  }
  const auto init_parts = static_cast<std::uint32_t>(sizes.size());
  add_parts(table_.parts(segment, choice.quality));
  SegmentAssembly begun{segment, choice.quality, sizes};
  actions_.push_back(action::StartSegment{segment, choice.quality, begun.missing(), init_parts, throughput,
                                          static_cast<std::uint32_t>(playout_.buffered_segments()), choice.reason});
  return begun;
}

QualityChoice Session::choose_quality(std::optional<DataRate> throughput) {
  if (chosen_quality_) return {*chosen_quality_, "chosen by the user"};
  const double speed = playout_.speed();
  if (throughput && speed != 1) throughput = *throughput / speed;  // in time of the timeline, as all of it
  const std::size_t level = playout_.buffered_segments() + assembling_.size();
  // The buffer holds so many segments beside the one that plays.
  const Duration capacity = (options_.buffer_segments + 1) * table_.duration(next_segment_);
  AdaptationInput input{next_segment_,
                        options_.start == StartRule::kThesis && first_segment_ == next_segment_,
                        throughput,
                        playout_.time_left_playout(now_),
                        playout_.buffered(),
                        bytes_to_come(),
                        under_way(),
                        capacity,
                        next_publication(),
                        forecast_errors_.spread(),
                        begins_by_memory_ && (level == 0 || level >= options_.segments_to_start())};
  if (spending_.costs.any()) Spending::leave_margin(input, spending_situation());
  if (options_.plan_forecast && throughput) adaptation_->told(*throughput);
  QualityChoice choice = adaptation_->choose(input, table_);
  if (spending_.costs.any()) choice = spending_.within_spending(std::move(choice), spending_situation());
  if (throughput && *throughput > DataRate{} && options_.mode != StreamingMode::kDownload) {
    const DataSize to_come = input.bytes_left + table_.size(next_segment_, choice.quality);
    forecast_errors_.expected(next_segment_, now_, to_come / (speed * *throughput));
  }
  if (speed != 1) choice.reason += fmt::format(" (all at {} times the speed)", speed);
  return choice;
}

/// Something that is on its way, if it comes too late.
bool Session::may_be_lowered() const {
  return rules_.lowering && adaptation_->lowers() && byte_window_ && !chosen_quality_ && !whole_parts_ &&
         !spending_.costs.any() && playout_.next_due() &&
         std::ranges::any_of(assembling_, [](const SegmentAssembly& s) { return s.quality() > QualityIndex{0}; });
}

/// What will come too late is asked for in a lower quality, if that is there sooner.
void Session::lower_what_comes_late() {
  if (now_ < qualities_hold_until_ || !may_be_lowered()) return;
  qualities_hold_until_ = now_ + kLookAtQualities;
  DataRate rate;
  for (const LinkNow& link : links_.now(outstanding_, now_)) {
    if (link.usable && link.rate && !silent_too_long(link)) rate += *link.rate;
  }
  if (rate <= DataRate{}) return;
  const auto takes = [&](DataSize size) { return media_time(size / rate); };
  DataSize before = outstanding_.abandoned_bytes();
  TimePoint due = first_due();
  for (SegmentAssembly& segment : assembling_) {
    if (segment.quality() > QualityIndex{0} && !brings_what_others_need(segment)) {
      const DataSize comes_anyway = outstanding_.wanted_bytes(segment.segment());
      const DataSize as_it_is = before + segment.missing();
      SegmentOnItsWay way{segment.segment(),       segment.quality(),     takes(as_it_is), {},
                          rate / playout_.speed(), media_time(due - now_)};
      for (QualityIndex q{}; q < segment.quality(); q = next(q))
        way.anew.push_back(takes(before + comes_anyway + table_.size(segment.segment(), q)));
      const DataSize lost = table_.size(segment.segment(), segment.quality()) - segment.missing() + comes_anyway;
      const auto choice = lost <= may_be_duplicated().size ? adaptation_->lowered(way, table_) : std::nullopt;
      if (choice) {
        duplicated_ += lost;
        forecast_errors_.given_up(segment.segment(), now_ + as_it_is / rate);
        lower(segment, *choice, rate);
        before += comes_anyway;
      }
    }
    before += segment.missing();
    due += play_time(table_.duration(segment.segment()));
  }
}

/// Without its init parts, later segments of its quality could not be decoded.
bool Session::brings_what_others_need(const SegmentAssembly& segment) const {
  return initialised_[to_index(segment.quality())] == segment.segment() &&
         std::ranges::any_of(assembling_, [&](const SegmentAssembly& other) {
           return other.segment() > segment.segment() && other.quality() == segment.quality();
         });
}

/// What has come of it is lost, and what is still to come of it belongs to nothing.
void Session::lower(SegmentAssembly& segment, const QualityChoice& choice, DataRate throughput) {
  std::optional<SegmentIndex>& initialised = initialised_[to_index(segment.quality())];
  if (initialised == segment.segment()) initialised.reset();
  for (const OutstandingRequest& request : outstanding_.all()) {
    if (request.segment == segment.segment()) outstanding_.abandon(request.id);
  }
  actions_.push_back(action::DropSegment{segment.segment()});
  if (next(segment.segment()) == next_segment_) last_quality_ = choice.quality;
  segment = begin(segment.segment(), choice, throughput);
  abandon_what_is_not_wanted();
}

/// What the links bring together, as a quality is chosen by: a link for when it is needed does not raise it, unless there is
/// no other.
std::optional<DataRate> Session::throughput_for_quality(const LinkEstimates& links) const {
  LinkEstimates in_use;
  for (const LinkEstimate& link : links) {
    if (links_.at(link.link).use == LinkUse::kUse) in_use.push_back(link);
  }
  if (in_use.empty()) in_use = links;                      // those of them that are not spared
  const bool by_memory = first_segment_ == next_segment_;  // its rates were never measured, and may be wrong by far
  for (LinkEstimate& link : in_use) {
    if (link.remembered ? by_memory : !rules_.lasting_rise) continue;
    link.throughput = links_.at(link.link).dependable_rate(link.link, outstanding_, now_);
  }
  const std::optional<DataRate> sum = aggregate(in_use);
  if (!byte_window_ || !sum || all_known_requested()) return sum;
  // What the plan brings: with what the links owe, and the time until the first byte of what they are asked for next.
  DataSize planned = *sum * table_.duration(next_segment_);
  for (const SegmentAssembly& segment : assembling_) planned += segment.new_bytes();
  const Duration end = balanced_shares(planned, in_use).end;
  return end > Duration::zero() ? std::min(*sum, (outstanding_.bytes_left() + planned) / end) : sum;
}

DataSize Session::bytes_to_come() const {
  DataSize total = outstanding_.bytes_left();
  for (const SegmentAssembly& segment : assembling_) total += segment.given_back_bytes() + segment.new_bytes();
  return total;
}

Duration Session::next_publication() const {
  if (!is_live(options_.mode) || published_at_.empty() || to_index(next_segment_) + 1 < published_at_.size()) return {};
  return media_time(std::max(published_at_.back() + table_.duration(next_segment_) - now_, Duration::zero()));
}

Duration Session::under_way() const {
  Duration total{};
  for (const SegmentAssembly& segment : assembling_) total += table_.duration(segment.segment());
  return total;
}

}  // namespace tributary
