#include "playback/status/status_recorder.hh"

#include <algorithm>

#include "report/miss_explanation.hh"
#include "units/overloaded.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kSampleEvery = 500ms;
constexpr std::size_t kSamples = 600;  // five minutes
constexpr std::size_t kSegmentsToExplain = 60;

}  // namespace

StatusRecorder::StatusRecorder(const Session& session, const KnownLinks& known, const LinkUses& uses)
    : session_{session},
      known_{known},
      uses_{uses},
      record_{session.table(), kSegmentsToExplain},
      next_sample_{kSampleEvery} {}

void StatusRecorder::on_event(const Event& event, TimePoint at) {
  record_.on_event(event, at);
  std::visit(Overloaded{
                 [&](const event::LinkDown& e) { traffic_[e.link].news.why_down = e.why; },
                 [&](const event::RoundTripMeasured& e) { traffic_[link_of(e.link)].news.round_trip = e.round_trip; },
                 [&](const event::BytesReceived& e) {
                   LinkTraffic& traffic = traffic_of(e.request);
                   traffic.received += e.size;
                   traffic.news.last_byte = at;
                   traffic.last_second.add(e.size, at);
                   traffic.lately.add(e.size, at);
                   traffic.last_minute.add(e.size, at);
                 },
                 [&](const event::RequestFailed& e) { traffic_of(e.request).news.last_failure = e.reason; },
                 [&](const event::WindowMoved& e) { window_begin_ = e.first; },
                 [&](const event::PlayoutReported& e) {
                   if (e.state != PlayoutState::kStalled) goes_on(at);
                 },
                 [&](const event::SeekRequested&) { goes_on(at); },
                 [](const auto&) {},
             },
             event);
}

void StatusRecorder::on_action(const Action& action, TimePoint at) {
  record_.on_action(action, at);
  std::visit(Overloaded{
                 [&](const action::StartSegment& a) {
                   quality_ = a.quality;
                   throughput_ = a.throughput;
                 },
                 [&](const action::SkipSegment&) { ++skipped_; },
                 [&](const action::Stall& a) { stalled(a.reason, at); },
                 [&](const action::PlaySegment& a) { explain_stall(a); },
                 [&](const action::AvoidLink& a) {
                   if (!is_lane(a.link)) traffic_[a.link].news.why_avoided = a.reason;
                 },
                 [&](const action::NeedLink& a) { traffic_[a.link].news.why_needed_or_not = a.reason; },
                 [](const auto&) {},
             },
             action);
}

StatusRecorder::LinkTraffic& StatusRecorder::traffic_of(RequestId request) {
  return traffic_[link_of(session_.outstanding().find(request)->link)];
}

void StatusRecorder::stalled(const std::string& why, TimePoint at) {
  ++stalls_;
  stall_explained_ = false;
  looks_ = looks_without_link_ = 0;
  last_stall_ = StallStatus{.at = at, .length = {}, .over = false, .reason = {}, .detail = why};
}

/// Now it is known what came late, and what would have been in time.
void StatusRecorder::explain_stall(const action::PlaySegment& a) {
  if (a.miss <= Duration::zero() || !last_stall_) return;
  if (const auto explained = explain_miss(record_, session_.options(), a.segment))
    last_stall_->detail = explained->text;
  auto reason = reason_of_stall(record_, session_.options(), a.segment);
  if (!reason) return;
  // Afterwards it looks as if the links had been slow.
  if (2 * looks_without_link_ > looks_) {
    const bool used_up = last_stall_->reason.cause == StallReason::Cause::kUsedUp;
    reason = used_up ? last_stall_->reason : StallReason{.cause = StallReason::Cause::kNoLink};
  }
  last_stall_->reason = *std::move(reason);
  stall_explained_ = true;
}

/// The reason changes while playout stands still: the first link may be gone, and another link too slow.
void StatusRecorder::explain_stall_so_far(TimePoint now) {
  if (stall_explained_) return;
  DataRate rate;
  for (auto& [id, traffic] : traffic_) rate += traffic.last_second.rate(now);
  last_stall_->reason = reason_of_stall(session_, rate, now);
  ++looks_;
  using enum StallReason::Cause;
  if (last_stall_->reason.cause == kNoLink || last_stall_->reason.cause == kUsedUp) ++looks_without_link_;
}

void StatusRecorder::goes_on(TimePoint at) {
  if (!last_stall_ || last_stall_->over) return;
  last_stall_->over = true;
  last_stall_->length = at - last_stall_->at;
}

StreamStatus StatusRecorder::status(TimePoint now) {
  take_samples(now);
  StreamStatus status;
  status.now = now;
  DataSize of_all;
  for (auto& [id, traffic] : traffic_) of_all += traffic.lately.size(now);
  for (const auto& [id, link] : session_.links().all()) {
    if (is_lane(id)) {
      add_lane(status.links, id, link);
    } else {
      status.links.push_back(link_status(id, link, of_all, now));
    }
  }
  add_links_never_up(status.links);
  status.buffered = buffered(now);
  status.quality = quality_;
  status.throughput = throughput_;
  const SegmentTable& table = session_.table();
  status.available = table.grid().end();
  status.window_start =
      to_index(window_begin_) < table.segment_count() ? table.starts_at(window_begin_) : table.grid().end();
  if (const auto at = position(now); at && is_live(session_.options().mode))
    status.behind_live = std::max(session_.latency().value_or(status.available - *at), Duration::zero());
  status.latency_target = session_.options().latency;
  status.skipped = skipped_;
  status.stalls = stalls_;
  if (last_stall_ && !last_stall_->over) explain_stall_so_far(now);
  status.last_stall = last_stall_;
  if (last_stall_ && !last_stall_->over) status.last_stall->length = now - last_stall_->at;
  status.history.assign(history_.begin(), history_.end());
  return status;
}

void StatusRecorder::take_samples(TimePoint now) {
  for (; next_sample_ <= now; next_sample_ += kSampleEvery) {
    StatusSample sample{.at = next_sample_,
                        .buffered = buffered(now),
                        .quality = quality_,
                        .stalled = last_stall_ && !last_stall_->over,
                        .rates = {}};
    for (const auto& [id, link] : session_.links().all()) {
      if (is_lane(id)) continue;
      LinkTraffic& traffic = traffic_[id];
      sample.rates.resize(to_index(id) + 1);
      sample.rates[to_index(id)] = (traffic.received - traffic.received_at_sample) / kSampleEvery;
      traffic.received_at_sample = traffic.received;
    }
    history_.push_back(std::move(sample));
    if (history_.size() > kSamples) history_.pop_front();
  }
}

LinkStatus StatusRecorder::link_status(LinkId id, const Link& link, DataSize of_all, TimePoint now) {
  LinkTraffic& traffic = traffic_[id];
  LinkStatus status;
  status.id = id;
  status.name = link.name;
  if (const LinkChangeNotice* known = known_.find(link.name)) status.kind = known->link.kind;
  status.use = link.use;
  status.rate_now = traffic.last_second.rate(now);
  add_activity(status, link, traffic.news, session_.outstanding(), now);
  status.rate_last_minute = traffic.last_minute.rate(now);
  status.rate_when_busy = link.estimator->throughput();
  if (!status.rate_when_busy && link.remembered) status.rate_when_busy = link.remembered->rate;
  if (of_all > DataSize{}) status.share = traffic.lately.size(now) / of_all;
  status.received = traffic.received;
  if (const auto found = record_.links().find(id); found != record_.links().end()) status.cost = found->second.cost;
  status.round_trip = traffic.news.round_trip;
  return status;
}

/// Lanes come behind all links.
void StatusRecorder::add_lane(std::vector<LinkStatus>& links, LinkId id, const Link& lane) const {
  const auto of_link = std::ranges::find(links, link_of(id), &LinkStatus::id);
  if (of_link == links.end() || !lane.up) return;
  ++of_link->connections;
  of_link->outstanding += session_.outstanding().count(id);
  of_link->outstanding_bytes += session_.outstanding().bytes_left(id);
  if (const auto rate = lane.estimator->throughput())
    of_link->rate_when_busy = of_link->rate_when_busy.value_or(DataRate{}) + *rate;
}

/// They get the ids that would be given next, and others when they come.
void StatusRecorder::add_links_never_up(std::vector<LinkStatus>& links) const {
  for (const LinkChangeNotice& notice : known_.obstructed()) {
    if (std::ranges::find(links, notice.link.name, &LinkStatus::name) != links.end()) continue;
    LinkStatus status;
    status.id = static_cast<LinkId>(links.size());
    status.name = notice.link.name;
    status.kind = notice.link.kind;
    status.use = uses_.of(status.name);
    status.activity = status.use == LinkUse::kDoNotUse ? LinkActivity::kOff : LinkActivity::kDown;
    status.why = status.why_down = notice.why;
    links.push_back(std::move(status));
  }
}

std::optional<Duration> StatusRecorder::position(TimePoint now) const {
  const auto playing = session_.playout().playing();
  if (!playing) return std::nullopt;
  const SegmentTable& table = session_.table();
  return table.starts_at(*playing) + table.duration(*playing) - session_.playout().time_left_playout(now);
}

Duration StatusRecorder::buffered(TimePoint now) const {
  return session_.playout().buffered() + session_.playout().time_left_playout(now);
}

}  // namespace tributary
