#include "core/session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/take_over.hh"
#include "core/why_late.hh"

namespace tributary {
namespace {

// How often an idle link looks at what the others owe.
constexpr Duration kLookAgain = std::chrono::milliseconds{100};

}  // namespace

Session::Session(SegmentTable table, SessionOptions options)
    : table_{std::move(table)},
      options_{std::move(options)},
      adaptation_{make_adaptation(options_.adaptation, table_)},
      planner_{make_planner(options_.subsegments, options_.subsegment_size)},
      scheduler_{options_.depth},
      initialised_(table_.quality_count()) {
  validate(options_);
}

void Session::handle(const Event& event, TimePoint now) {
  if (finished_) return;
  assert(now >= now_);
  if (!wants_bytes()) last_byte_ = now;  // until now there was nothing to wait for
  if (!wants_bytes() || links_.empty()) meter_.restart(now);
  now_ = now;
  move_playout();
  std::visit([this](const auto& e) { on(e); }, event);
  if (finished_) return;
  deliver_complete_segments();
  start_playout_if_ready();
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
  TimePoint earliest = TimePoint::max();
  const auto consider = [&](TimePoint t) {
    if (t > now_) earliest = std::min(earliest, t);
  };
  if (const auto due = playout_.next_due()) consider(*due);
  if (const auto back = links_.next_return(now_)) consider(*back);
  if (wants_bytes()) consider(last_byte_ + options_.give_up_after);
  if (may_become_late()) consider(now_ + kLookAgain);
  if (earliest == TimePoint::max()) return std::nullopt;
  return earliest;
}

// ---- What happened

void Session::on(const event::LinkUp& e) { links_.up(e.link, e.name); }

void Session::on(const event::LinkDown& e) { links_.down(e.link); }

void Session::on(const event::SegmentAdded& e) {
  if (to_index(e.segment) == table_.segment_count()) table_.append(e.tracks);
}

void Session::on(const event::WindowMoved& e) {
  window_begin_ = std::max(window_begin_, e.first);
  while (next_segment_ < window_begin_ && to_index(next_segment_) < published_at_.size()) {
    skip_next(now_ - published_at_[to_index(next_segment_)],
              "it left the origin's window before it was requested");
  }
}

void Session::on(const event::PresentationEnded& /*e*/) { table_.end(); }

void Session::on(const event::SegmentPublished& e) {
  while (published_at_.size() <= to_index(e.segment)) published_at_.push_back(now_);
}

void Session::on(const event::ResponseBegan& e) {
  if (OutstandingRequest* request = outstanding_.find(e.request)) request->began = true;
}

void Session::on(const event::BytesReceived& e) {
  OutstandingRequest* request = outstanding_.find(e.request);
  if (request == nullptr) return;
  const ByteRange range{request->left().begin, request->left().begin + e.size};
  assert(request->left().contains(range));
  request->received += e.size;
  request->last_byte = now_;
  last_byte_ = now_;
  received_ += e.size;
  meter_.received(e.size);
  if (SegmentAssembly* segment = find_segment(request->segment)) segment->receive(request->part, range);
}

void Session::on(const event::RequestDone& e) {
  const OutstandingRequest* request = outstanding_.find(e.request);
  if (request == nullptr) return;
  Link& link = links_.at(request->link);
  link.failures_in_a_row = 0;
  link.estimator.request_done(request->received, request->sent, now_);
  outstanding_.remove(e.request);
}

void Session::on(const event::RequestFailed& e) {
  const OutstandingRequest* found = outstanding_.find(e.request);
  if (found == nullptr) return;
  const OutstandingRequest request = *found;
  outstanding_.remove(e.request);
  Link& link = links_.at(request.link);
  link.estimator.request_failed(now_);
  // A lost connection fails all that the link owes at the same moment: that is one failure.
  if (link.usable(now_)) ++link.failures_in_a_row;
  apply(retry_policy_.decide(e.reason, link.failures_in_a_row), request, e);
}

void Session::on(const event::RoundTripMeasured& /*e*/) {}  // for those who observe

void Session::on(const event::DeadlineReached& /*e*/) {}  // the stages below look at the time themselves

void Session::on(const event::StopRequested& e) { finish(false, e.why); }

// ---- What follows from it, in the order of handle()

void Session::move_playout() {
  for (const Played& played : playout_.advance(now_)) play(played);
  if (!playout_.stalled(now_) || stall_told_ || (all_requested() && assembling_.empty())) return;
  stall_told_ = true;
  actions_.push_back(
      action::Stall{assembling_.empty() ? "the next segment is not published yet" : "late" + why_late(assembling_, outstanding_, links_, now_)});
}

void Session::deliver_complete_segments() {
  if (options_.mode == StreamingMode::kDownload) return deliver_in_any_order();
  while (!assembling_.empty() && assembling_.front().complete()) {
    const SegmentIndex segment = assembling_.front().segment();
    assembling_.pop_front();
    if (const auto measurement = meter_.segment_complete(now_)) adaptation_->measured(*measurement);
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
  if (playout_.started() || playout_.buffered_segments() == 0) return;
  const bool nothing_more_comes = all_requested() && assembling_.empty();
  if (playout_.buffered_segments() >= options_.buffer_segments || nothing_more_comes)
    play(playout_.start(now_));
}

void Session::schedule() {
  while (ask_a_link()) {
  }
}

void Session::finish_if_over() {
  if (all_requested() && assembling_.empty()) {
    for (const Played& played : playout_.play_out()) play(played);
    finish(true, "every segment was received");
  } else if (wants_bytes() && now_ >= last_byte_ + options_.give_up_after) {
    finish(false, fmt::format("no byte came for {:.0f} s{}", to_seconds(options_.give_up_after),
                              why_late(assembling_, outstanding_, links_, now_)));
  }
}

// ---- Steps

/// Who is to be asked next depends on what this link owes then.
bool Session::ask_a_link() {
  const std::vector<LinkId> to_ask = scheduler_.links_to_ask(links_.usable(now_), outstanding_);
  if (to_ask.empty()) return false;
  const std::vector<LinkEstimate> links = links_.estimates(now_);
  return std::ranges::any_of(to_ask, [&](LinkId link) { return ask_link(link, links); });
}

bool Session::ask_link(LinkId link, const std::vector<LinkEstimate>& links) {
  if (ask_again(link, links) || take_over_late(link)) return true;
  if ((assembling_.empty() || !assembling_.back().next_new()) && may_start_segment()) start_segment(links);
  if (assembling_.empty()) return false;
  SegmentAssembly& segment = assembling_.back();
  std::optional<WantedRange> wanted = segment.next_new();
  if (!wanted) return false;
  if (!whole_parts_) {
    const DataSize size =
        std::min(planner_->next_size(segment.new_bytes(), link, links), wanted->range.size());
    planner_->taken(size);
    wanted->range.end = wanted->range.begin + size;
  }
  segment.take_new(wanted->range.size());
  const OutstandingRequest* head = outstanding_.head(link);
  send(link, segment, *wanted,
       head == nullptr ? "the link is idle" : fmt::format("pipelined behind request {}", to_index(head->id)));
  return true;
}

/// Ranges whose request failed go first, to another link than the one they failed on unless it is the only
/// one.
bool Session::ask_again(LinkId link, const std::vector<LinkEstimate>& links) {
  for (SegmentAssembly& segment : assembling_) {
    for (std::size_t i = 0; i < segment.given_back().size(); ++i) {
      const WantedRange& candidate = segment.given_back()[i];
      if (candidate.failed_on == link && links.size() > 1) continue;
      const WantedRange wanted = segment.take_given_back(i);
      send(link, segment, wanted, fmt::format("again: failed on {}", links_.at(*wanted.failed_on).name));
      return true;
    }
  }
  return false;
}

/// What another link will bring too late, this one brings as well (take_over.hh). When there is nothing else left to ask
/// for, everything is wanted at once.
bool Session::take_over_late(LinkId link) {
  if (whole_parts_ || outstanding_.empty()) return false;
  const bool last = all_requested() && (assembling_.empty() || !assembling_.back().next_new());
  if (!playout_.started() && !last) return false;
  const std::vector<LinkNow> links = links_.now(outstanding_, now_);
  TimePoint due = playout_.next_due().value_or(now_) + playout_.buffered();
  for (SegmentAssembly& segment : assembling_) {
    const auto found =
        take_over(link, links, outstanding_, segment.segment(), last ? std::nullopt : std::optional{due},
                  may_be_duplicated(), now_);
    if (found) {
      OutstandingRequest& from = *outstanding_.find(found->from);
      from.taken_over_from = found->range.begin;
      duplicated_ += found->range.size();
      send(link, segment, {from.part, found->range, std::nullopt, from.wrong_answers},
           fmt::format("{} owes it, and is expected {:.3f} s after it is due; {:.3f} s sooner from here",
                       links_.at(from.link).name, to_seconds(found->late), to_seconds(found->sooner)),
           found->from);
      return true;
    }
    due += table_.duration(segment.segment());
  }
  return false;
}

bool Session::may_start_segment() const {
  if (all_known_requested()) return false;
  if (is_live(options_.mode) && to_index(next_segment_) >= published_at_.size()) return false;
  return assembling_.size() + playout_.buffered_segments() < options_.buffer_segments;
}

void Session::start_segment(const std::vector<LinkEstimate>& links) {
  if (options_.mode == StreamingMode::kLiveUnbuffered) skip_to_live_edge();
  const SegmentIndex segment = next_segment_;
  // The buffer holds so many segments beside the one that plays.
  const Duration capacity = (options_.buffer_segments + 1) * table_.duration(segment);
  const AdaptationInput input{segment,
                              segment == SegmentIndex{0},
                              aggregate(links),
                              playout_.time_left_playout(now_),
                              playout_.buffered(),
                              bytes_to_come(),
                              under_way(),
                              capacity};
  const QualityChoice choice = adaptation_->choose(input, table_);

  std::vector<DataSize> sizes;
  const auto add_parts = [&](const std::vector<SegmentPart>& parts) {
    for (const SegmentPart& part : parts) sizes.push_back(part.size());
  };
  if (!initialised_[to_index(choice.quality)]) add_parts(table_.init_parts(choice.quality));
  initialised_[to_index(choice.quality)] = true;
  const auto init_parts = static_cast<std::uint32_t>(sizes.size());
  add_parts(table_.parts(segment, choice.quality));

  assembling_.emplace_back(segment, choice.quality, sizes);
  planner_->segment_started();
  next_segment_ = next(segment);
  actions_.push_back(action::StartSegment{
      segment, choice.quality, assembling_.back().missing(), init_parts, input.throughput,
      static_cast<std::uint32_t>(playout_.buffered_segments()), choice.reason});
}

/// Live without buffering: if playout is more than one segment behind what exists, go on with the newest
/// (thesis 4.2.3).
void Session::skip_to_live_edge() {
  const auto newest = static_cast<SegmentIndex>(published_at_.size() - 1);
  const TimePoint plays_at = std::max(now_, playout_.next_due().value_or(now_));
  while (next_segment_ < newest) {
    const Duration lag = plays_at - published_at_[to_index(next_segment_)];
    if (lag <= table_.duration(next_segment_)) return;
    skip_next(lag, fmt::format("{:.3f} s behind, segment {} is out", to_seconds(lag), to_index(newest)));
  }
}

void Session::skip_next(Duration lag, std::string reason) {
  actions_.push_back(action::SkipSegment{next_segment_, lag, std::move(reason)});
  next_segment_ = next(next_segment_);
}

/// A segment that was being received cannot be completed any more. Its quality needs its init parts again: it is not known
/// whether they had come.
void Session::give_up(SegmentIndex segment, const std::string& why) {
  const auto found = std::ranges::find(assembling_, segment, &SegmentAssembly::segment);
  if (found == assembling_.end()) return;
  initialised_[to_index(found->quality())] = false;
  assembling_.erase(found);
  actions_.push_back(
      action::SkipSegment{segment, now_ - published_at_[to_index(segment)],
                          fmt::format("it left the origin's window before it was complete: {}", why)});
}

void Session::send(LinkId link, SegmentAssembly& segment, const WantedRange& wanted, std::string reason,
                   std::optional<RequestId> takes_over) {
  const RequestId id = next_request_;
  next_request_ = next(id);
  const auto throughput = links_.at(link).estimator.throughput();
  const Duration expected =
      throughput ? (outstanding_.bytes_left(link) + wanted.range.size()) / *throughput : Duration{};
  OutstandingRequest request{id, link, segment.segment(), wanted.part, wanted.range, wanted.wrong_answers, now_};
  request.expected = expected;
  request.takes_over = takes_over;
  outstanding_.add(request);
  actions_.push_back(action::SendRequest{id, link, segment.segment(), wanted.part, wanted.range, throughput,
                                         std::move(reason), takes_over});
}

/// What the request still owed is wanted again, apart from what other links were asked for as well.
void Session::give_back(SegmentAssembly& segment, const OutstandingRequest& failed,
                        std::uint32_t wrong_answers) {
  const ByteRange owed = failed.owed_alone();
  duplicated_ -= failed.left().size() - owed.size();
  outstanding_.has_no_end(failed.id);
  if (failed.takes_over) {
    duplicated_ -= owed.size();
    OutstandingRequest* first = outstanding_.find(*failed.takes_over);
    if (first != nullptr && first->taken_over_from == failed.range.begin) {
      first->taken_over_from = failed.range.end;  // it is waited for
      return;
    }
  }
  if (!owed.empty()) segment.give_back({failed.part, owed, failed.link, wrong_answers});
}

void Session::apply(const RetryDecision& decision, const OutstandingRequest& request,
                    const event::RequestFailed& failure) {
  const std::string why =
      fmt::format("{}{}{}", to_string(failure.reason), failure.detail.empty() ? "" : ": ", failure.detail);
  if (failure.reason == FailureReason::kNotFound && request.segment < window_begin_)
    return give_up(request.segment, why);
  const std::uint32_t wrong_answers = request.wrong_answers + (decision.wrong_answer ? 1 : 0);
  if (retry_policy_.too_many_wrong_answers(wrong_answers)) {
    finish(false, fmt::format("segment {}, part {}, bytes {}-{}: {} (tried {} times)",
                              to_index(request.segment), request.part, request.range.begin.bytes(),
                              request.range.end.bytes() - 1, why, wrong_answers));
    return;
  }
  if (SegmentAssembly* segment = find_segment(request.segment)) {
    if (decision.whole_parts) {
      whole_parts_ = true;
      if (!whole_part_outstanding(*segment, request.part)) {
        segment->restart_part(request.part, request.link, wrong_answers);
      }
    } else {
      give_back(*segment, request, wrong_answers);
    }
  }
  if (decision.avoid_link_for_good) avoid_link(request.link, std::nullopt, why);
  if (decision.avoid_link_for) avoid_link(request.link, decision.avoid_link_for, why);
  if (links_.all_avoided_for_good()) finish(false, fmt::format("no link can be used: {}", why));
}

void Session::avoid_link(LinkId id, std::optional<Duration> how_long, const std::string& why) {
  Link& link = links_.at(id);
  if (!link.usable(now_)) return;
  if (how_long) {
    link.avoided_until = now_ + *how_long;
  } else {
    link.avoided_for_good = true;
  }
  actions_.push_back(action::AvoidLink{id, link.avoided_until, why});
}

void Session::play(const Played& played) {
  stall_told_ = false;
  actions_.push_back(action::PlaySegment{played.segment, played.at, played.due, played.miss()});
}

void Session::finish(bool complete, std::string reason) {
  finished_ = true;
  actions_.push_back(action::Finish{complete, std::move(reason)});
}

// ---- What is known

DataSize Session::may_be_duplicated() const {
  return std::max(scale(received_, options_.duplicates_percent / 100.0) - duplicated_, DataSize{});
}

/// A link has nothing to do, and another one owes something.
bool Session::may_become_late() const {
  if (assembling_.empty() || outstanding_.empty() || !playout_.started()) return false;
  return std::ranges::any_of(links_.usable(now_),
                             [&](LinkId link) { return outstanding_.head(link) == nullptr; });
}

SegmentAssembly* Session::find_segment(SegmentIndex index) {
  for (SegmentAssembly& segment : assembling_) {
    if (segment.segment() == index) return &segment;
  }
  return nullptr;
}

bool Session::whole_part_outstanding(const SegmentAssembly& segment, std::uint32_t part) const {
  const ByteRange whole{DataSize{}, segment.part_size(part)};
  return std::ranges::any_of(outstanding_.all(), [&](const OutstandingRequest& request) {
    return request.segment == segment.segment() && request.part == part && request.range == whole;
  });
}

DataSize Session::bytes_to_come() const {
  DataSize total = outstanding_.bytes_left();
  for (const SegmentAssembly& segment : assembling_) total += segment.given_back_bytes();
  return total;
}

Duration Session::under_way() const {
  Duration total{};
  for (const SegmentAssembly& segment : assembling_) total += table_.duration(segment.segment());
  return total;
}

}  // namespace tributary
