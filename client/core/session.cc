#include "core/session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/balanced_subsegments.hh"
#include "core/why_late.hh"

namespace tributary {
namespace {

constexpr DataSize kLeastAnswer{1'000};

/// Below, a stream brings less than a second of its lowest quality in a minute. A download may take any time, but there is no
/// network so slow (GPRS: 20 kbit/s, Iridium: 2.4 kbit/s): it is the origin that brings nothing.
DataRate least_useful_rate(const SegmentTable& table, StreamingMode mode) {
  if (mode == StreamingMode::kDownload) return DataRate::bits_per_second(1e3);
  return table.bitrate(QualityIndex{0}) / 60;
}

}  // namespace

Session::Session(SegmentTable table, SessionOptions options)
    : table_{std::move(table)},
      options_{std::move(options)},
      rules_{Rules::without(options_.without)},
      adaptation_{make_adaptation(options_.adaptation, table_, rules_)},
      planner_{make_planner(options_.subsegments, options_.subsegment_size)},
      scheduler_{options_.depth},
      retry_policy_{options_.mode == StreamingMode::kDownload ? RetryPolicy::kPauseOfDownload
                                                              : RetryPolicy::kPauseOfStream},
      links_{options_.subsegments},
      playout_{options_.playout},
      initialised_(table_.quality_count()),
      least_useful_{least_useful_rate(table_, options_.mode)} {
  validate(options_);
  Spending::check(options_, table_);
  rules_.take_over = rules_.take_over && options_.duplicates_percent > 0;
  if (options_.subsegments != SubsegmentApproach::kBalanced) return;
  const DataSize request = balanced_request(options_.subsegment_size);
  byte_window_.emplace(request);
  if (!rules_.sizing) planner_ = make_planner(SubsegmentApproach::kStatic, request);
}

void Session::handle(const Event& event, TimePoint now) {
  if (finished_) return;
  assert(now >= now_);
  if (const auto* bytes = std::get_if<event::BytesReceived>(&event); bytes != nullptr && now < quiet_until_) {
    now_ = now;
    if (!take_in(*bytes) && !has_room_again(bytes->request)) return;
  } else {
    if (!wants_bytes() || links_.all_switched_off()) wait_.restart(now);
    if (!wants_bytes() || links_.empty()) meter_.restart(now);
    now_ = now;
    move_playout();
    std::visit([this](const auto& e) { on(e); }, event);
    if (finished_) return;
  }
  deliver_complete_segments();
  start_playout_if_ready();
  lower_what_comes_late();
  schedule();
  finish_if_over();
}

std::optional<Action> Session::next_action() {
  if (actions_.empty()) return std::nullopt;
  Action action = std::move(actions_.front());
  actions_.pop_front();
  return action;
}

std::optional<TimePoint> Session::next_deadline() const {
  if (finished_) return std::nullopt;
  TimePoint look_again = look_again_ ? now_ + kLookAgain : TimePoint::max();
  if (may_be_lowered()) look_again = std::min(look_again, std::max(qualities_hold_until_, now_ + Duration{1}));
  const TimePoint renewal = outstanding_.empty() ? TimePoint::max() : wait_.renewal();
  TimePoint earliest = std::min({quiet_until_, wait_.since() + options_.give_up_after, renewal, look_again});
  if (earliest > now_) return earliest;
  earliest = look_again;
  const auto consider = [&](TimePoint t) {
    if (t > now_) earliest = std::min(earliest, t);
  };
  if (const auto due = playout_.next_due()) consider(*due);
  if (const auto back = links_.next_return(now_)) consider(*back);
  if (wants_bytes()) consider(wait_.since() + options_.give_up_after);
  consider(renewal);
  if (earliest == TimePoint::max()) return std::nullopt;
  return earliest;
}

// ---- What happened

/// Neither does the thesis' start count on what is remembered, nor does money depend on it.
void Session::on(const event::LinkUp& e) {
  const bool counts = e.remembered_rate && options_.start == StartRule::kFast && !spending_.costs.spared(e.link);
  links_.up(e.link, e.name, e.use,
            counts ? std::optional{RememberedLink{*e.remembered_rate, e.remembered_rtt}} : std::nullopt);
}

void Session::on(const event::LinkDown& e) { links_.down(e.link); }

void Session::on(const event::SegmentAdded& e) {
  if (to_index(e.segment) == table_.segment_count()) table_.append(e.tracks);
}

void Session::on(const event::WindowMoved& e) {
  window_begin_ = std::max(window_begin_, e.first);
  while (next_segment_ < window_begin_ && to_index(next_segment_) < published_at_.size()) {
    skip_next(now_ - published_at_[to_index(next_segment_)], "it left the origin's window before it was requested");
  }
}

void Session::on(const event::PresentationEnded& /*e*/) { table_.end(); }

void Session::on(const event::SegmentPublished& e) {
  while (published_at_.size() <= to_index(e.segment)) published_at_.push_back(now_);
}

void Session::on(const event::ResponseBegan& e) {
  OutstandingRequest* request = outstanding_.find(e.request);
  if (request == nullptr) return;
  request->began = true;
  Link& link = links_.at(request->link);
  link.answer_delay.waited(now_ - link.active_at(*request));
  if (link.estimator->begin(request->sent) == request->sent) link.least_round_trip.sample(now_ - request->sent, now_);
  link.estimator->response_began(now_);
}

/// Whether a segment is complete by that, or nobody knows the request.
bool Session::take_in(const event::BytesReceived& e) {
  OutstandingRequest* request = outstanding_.find(e.request);
  if (request == nullptr) return true;
  const ByteRange range{request->left().begin, request->left().begin + e.size};
  assert(request->left().contains(range));
  Link& link = links_.at(request->link);
  link.answer_delay.waited(now_ - link.active_at(*request));
  link.estimator->received(e.size, request->sent, now_);
  request->received += e.size;
  request->last_byte = now_;
  wait_.received(e.size, least_useful_, now_);
  received_ += e.size;
  if (!spending_.costs.any() || !is_spared(request->link)) meter_.received(e.size);
  link.recent_rate.received(e.size, now_);
  if (SegmentAssembly* segment = request->abandoned ? nullptr : find_segment(request->segment)) {
    segment->receive(request->part, range);
    return segment->complete();
  }
  return false;
}

void Session::on(const event::RequestDone& e) {
  const OutstandingRequest* request = outstanding_.find(e.request);
  if (request == nullptr) return;
  Link& link = links_.at(request->link);
  link.failures_in_a_row = 0;
  link.estimator->request_done(request->received, request->sent, now_);
  link.answer_delay.answer_ended();
  outstanding_.remove(e.request);
}

void Session::on(const event::RequestFailed& e) {
  const OutstandingRequest* found = outstanding_.find(e.request);
  if (found == nullptr) return;
  const OutstandingRequest request = *found;
  outstanding_.remove(e.request);
  spending_.costs.not_received(request.link, request.left().size());
  Link& link = links_.at(request.link);
  link.estimator->request_failed(now_);
  // A lost connection fails all that the link owes at the same moment: that is one failure.
  if (link.usable(now_) && e.reason != FailureReason::kAbandoned) ++link.failures_in_a_row;
  // A part that has to come in one piece is no better for the beginning of it, and a range hardly for its first bytes: an origin
  // that gives one at a time would be asked for each.
  const DataSize worth_asking = std::min(kLeastAnswer, DataSize{request.range.size().bytes() / 8});
  const bool brought_bytes = request.received > DataSize{} && request.received >= worth_asking && !whole_parts_;
  apply(retry_policy_.decide(e.reason, link.failures_in_a_row, brought_bytes, e.retry_after), request, e);
}

void Session::on(const event::RoundTripMeasured& e) {
  Link& link = links_.at(e.link);
  link.round_trip.sample(e.round_trip, e.least);
  link.least_round_trip.sample(e.least, now_);
}

void Session::on(const event::DeadlineReached& /*e*/) {}  // the stages below look at the time themselves

void Session::on(const event::StopRequested& e) { finish(false, e.why); }

// ---- What follows from it, in the order of handle()

void Session::move_playout() {
  for (const Played& played : playout_.advance(now_)) play(played);
  tell_stall();
}

void Session::tell_stall() {
  if (!playout_.stalled(now_) || stall_told_ || (all_requested() && assembling_.empty())) return;
  stall_told_ = true;
  actions_.push_back(action::Stall{assembling_.empty()
                                       ? "the next segment is not published yet"
                                       : "late" + why_late(assembling_, outstanding_, links_, now_) + used_up_links()});
}

void Session::deliver_complete_segments() {
  if (options_.mode == StreamingMode::kDownload) return deliver_in_any_order();
  while (!assembling_.empty() && assembling_.front().complete()) {
    const SegmentIndex segment = assembling_.front().segment();
    assembling_.pop_front();
    if (auto measurement = meter_.segment_complete(now_)) {
      // Rules count in time of the timeline: at twice the speed, the links bring half as much in it.
      if (playout_.speed() != 1)
        measurement->duration = from_seconds(to_seconds(measurement->duration) * playout_.speed());
      adaptation_->measured(*measurement);
    }
    forecast_errors_.complete(segment, now_);
    actions_.push_back(action::DeliverSegment{segment});
    playout_.add(segment, table_.duration(segment), now_);
    for (const Played& played : playout_.advance(now_)) play(played);
  }
}

/// Nothing waits for what is in front of it: one slow link must not close the window for the others.
void Session::deliver_in_any_order() {
  for (const SegmentAssembly& segment : assembling_) {
    if (segment.complete()) actions_.push_back(action::DeliverSegment{segment.segment()});
  }
  std::erase_if(assembling_, [](const SegmentAssembly& segment) { return segment.complete(); });
}

void Session::start_playout_if_ready() {
  if (options_.playout == PlayoutSource::kReported) return allow_playout_if_ready();
  if (playout_.started() || playout_.buffered_segments() == 0) return;
  const bool nothing_more_comes = all_requested() && assembling_.empty();
  if (playout_.buffered_segments() >= options_.segments_to_start() || nothing_more_comes) play(playout_.start(now_));
}

void Session::allow_playout_if_ready() {
  const std::size_t buffered = playout_.buffered_segments();
  if (waiting_ == Waiting::kNothing || buffered == 0) return;
  const bool nothing_more_comes = all_requested() && assembling_.empty();
  if (waiting_ == Waiting::kStall) {
    allow_playout("what playout stood still for is here");
  } else if (buffered >= options_.segments_to_start() || nothing_more_comes) {
    allow_playout(fmt::format("{} of {} segments to begin with are here", buffered, options_.segments_to_start()));
  }
}

void Session::allow_playout(std::string reason) {
  waiting_ = Waiting::kNothing;
  actions_.push_back(action::AllowPlayout{std::move(reason)});
}

void Session::schedule() {
  if (playout_.started() || !wants_bytes() || links_.empty()) {
    start_wanted_.reset();
  } else if (!start_wanted_) {
    start_wanted_ = now_;
  }
  if (spending_.costs.any()) {
    look_for_used_up_links();
    spending_.look_for_free_links(links_, now_);
  }
  renew_connections();
  decide_who_is_needed();
  while (ask_a_link()) {
  }
  if (spending_.costs.any()) look_for_used_up_links();
  look_again_ = may_become_late() || needs_to_be_decided() || (spending_.costs.any() && wants_bytes());
}

/// Those that bring next to nothing of what they owe, for long. One that has brought nothing of it yet is left to its connection,
/// which knows for how long an origin may be silent.
void Session::renew_connections() {
  if (outstanding_.empty() || !wants_bytes() || now_ < wait_.renewal()) return;
  wait_.renewed(now_);
  for (const auto& [id, link] : links_.all()) {
    const OutstandingRequest* head = outstanding_.head(id);
    if (head != nullptr && head->received > DataSize{})
      abandon_requests(id, fmt::format("next to nothing came for {:.0f} s", to_seconds(VainWait::kRenewAfter)));
  }
}

void Session::finish_if_over() {
  if (all_requested() && assembling_.empty()) {
    if (options_.stays_open) return tell_delivery();
    for (const Played& played : playout_.play_out()) play(played);
    finish(true, "every segment was received");
  } else if (!options_.stays_open && spending_.nothing_left(now_)) {
    finish(false, "no link is left" + used_up_links(), true);
  } else if (wants_bytes() && now_ >= wait_.since() + options_.give_up_after) {
    const std::string came =
        wait_.came() == DataSize{} ? "no byte" : fmt::format("next to nothing ({} bytes)", wait_.came().bytes());
    finish(false, fmt::format("{} came for {:.0f} s{}{}{}", came, to_seconds(options_.give_up_after),
                              why_late(assembling_, outstanding_, links_, now_), last_failure_, used_up_links()));
  }
}

void Session::tell_delivery() {
  if (!delivery_told_) actions_.push_back(action::AllDelivered{});
  delivery_told_ = true;
}

void Session::play(const Played& played) {
  stall_told_ = begins_by_memory_ = false;
  actions_.push_back(action::PlaySegment{played.segment, played.at, played.due, played.miss()});
}

void Session::finish(bool complete, std::string reason, bool used_up) {
  finished_ = true;
  actions_.push_back(action::Finish{complete, std::move(reason), used_up});
}

}  // namespace tributary
