#include "report/session_record.hh"

#include <algorithm>
#include <utility>

#include "units/overloaded.hh"

namespace tributary {
namespace {

DataSize size_in(const SegmentTable& table, const SegmentRecord& segment) {
  DataSize total = table.size(segment.segment, segment.quality);
  if (segment.init_parts == 0) return total;
  for (const SegmentPart& part : table.init_parts(segment.segment, segment.quality)) total += part.size();
  return total;
}

}  // namespace

std::optional<Duration> SegmentRecord::lag() const {
  if (!published || !played) return std::nullopt;
  return *played - *published;
}

bool LinkRecord::up_between(TimePoint from, TimePoint until) const {
  bool up_before = false;
  for (const Change& change : changes) {
    if (change.at > until) break;
    if (change.at > from && !change.up) return false;
    if (change.at <= from) up_before = change.up;
  }
  return up_before;
}

SessionRecord::SessionRecord(const SegmentTable& table, std::optional<std::size_t> segments_kept)
    : table_{table}, segments_kept_{segments_kept} {}

const RequestRecord* SessionRecord::find_request(RequestId id) const {
  if (requests_.empty() || id < requests_.front().id) return nullptr;
  return &requests_[to_index(id) - to_index(requests_.front().id)];
}

void SessionRecord::on_event(const Event& event, TimePoint at) {
  move_to(at);
  if (const auto* bytes = std::get_if<event::BytesReceived>(&event)) return received(*bytes, at);  // most events
  std::visit(Overloaded{
                 [&](const event::LinkUp& e) {
                   if (is_lane(e.link)) return;
                   links_[e.link].name = e.name;
                   link_changed(e.link, true, at);
                 },
                 [&](const event::LinkDown& e) { link_changed(e.link, false, at); },
                 [&](const event::SegmentPublished& e) { segment(e.segment).published = at - e.age; },
                 [](const event::SegmentAdded&) {},
                 [](const event::WindowMoved&) {},
                 [](const event::PresentationEnded&) {},
                 [&](const event::ResponseBegan& e) {
                   RequestRecord& r = request(e.request);
                   r.first_byte = at;
                   SegmentRecord& s = segment(r.segment);
                   if (!s.first_byte) s.first_byte = at;
                 },
                 [&](const event::BytesReceived& e) { received(e, at); },
                 [&](const event::RequestDone& e) { request_ended(e.request, "done", at); },
                 [&](const event::RequestFailed& e) {
                   ++links_[request(e.request).link].failures;
                   request_ended(e.request, std::string{to_string(e.reason)}, at);
                 },
                 [&](const event::RoundTripMeasured& e) { links_[link_of(e.link)].round_trip = e.round_trip; },
                 [](const event::LinkUseChanged&) {},
                 [&](const event::LinkCostTold& e) {
                   if (!is_lane(e.link)) links_[e.link].cost = e;
                 },
                 [&](const event::SeekRequested&) { forget_all(); },
                 [](const event::QualityChosen&) {},
                 [](const event::PlayoutReported&) {},
                 [](const event::RestArrived&) {},
                 [](const event::SizeTold&) {},
                 [](const event::SegmentWanted&) {},
                 [](const event::SegmentNotWanted&) {},
                 [&](const event::FramesTold& e) { segment(e.segment).frames = e.ends.size(); },
                 [](const event::DeadlineReached&) {},
                 [](const event::StopRequested&) {},
             },
             event);
}

void SessionRecord::on_action(const Action& action, TimePoint at) {
  move_to(at);
  std::visit(Overloaded{
                 [&](const action::StartSegment& a) {
                   SegmentRecord& s = segment(a.segment);
                   begin_anew(s);  // it may have been requested before a seek
                   s.quality = a.quality;
                   s.size = a.size;
                   s.init_parts = a.init_parts;
                   s.requested = at;
                   s.buffered_segments = a.buffered;
                   s.throughput = a.throughput;
                 },
                 [&](const action::SendRequest& a) {
                   LinkRecord& link = links_[link_of(a.link)];
                   requests_.push_back({.id = a.request,
                                        .link = link_of(a.link),
                                        .lane = a.link,
                                        .segment = a.segment,
                                        .part = a.part,
                                        .range = a.range,
                                        .behind = link.outstanding_bytes,
                                        .sent = at,
                                        .estimate = a.estimate,
                                        .takes_over = a.takes_over});
                   segment(a.segment).estimated |= a.open;
                   ++link.requests;
                   link.outstanding_bytes += a.range.size();
                   if (link.outstanding++ == 0) link.busy_since = at;
                 },
                 [&](const action::DeliverSegment& a) {
                   SegmentRecord& s = segment(a.segment);
                   s.complete = at;
                   s.frames_lost = a.frames_lost;
                   s.here = {};
                   if (s.estimated) s.size = size_in(table_, s);
                   forget_before(a.segment);
                 },
                 [&](const action::SkipSegment& a) {
                   SegmentRecord& s = segment(a.segment);
                   s.skipped = true;
                   s.skipped_at = at;
                   s.skip_lag = a.lag;
                   s.skip_reason = a.reason;
                   s.missing = !a.missing.empty();
                 },
                 [&](const action::PlaySegment& a) {
                   SegmentRecord& s = segment(a.segment);
                   s.played = a.at;
                   s.due = a.due;
                   s.miss = a.miss;
                 },
                 [&](const action::Stall&) { playout_stands_still(); },
                 [](const action::AvoidLink&) {},
                 [](const action::AllowPlayout&) {},
                 [&](const action::SetSpeed&) { ++speed_changes_; },
                 [](const action::AllDelivered&) {},
                 [&](const action::DropSegment& a) { drop(a.segment); },
                 [](const action::AbandonRequests&) {},
                 [](const action::NeedLink&) {},
                 [](const action::AskSize&) {},
                 [](const action::LeaveOut&) {},
                 [](const action::DeliverFrames&) {},
                 [&](const action::OpenLane& a) {
                   LinkRecord& link = links_[link_of(a.lane)];
                   link.most_connections = std::max(link.most_connections, ++link.connections);
                 },
                 [&](const action::CloseLane& a) { --links_[link_of(a.lane)].connections; },
                 [&](const action::Finish& a) {
                   complete_ = a.complete;
                   ended_because_ = a.reason;
                 },
             },
             action);
}

void SessionRecord::move_to(TimePoint at) {
  now_ = at;
  for (; next_sample_ <= at; next_sample_ += kSampleEvery) {
    for (auto& [id, link] : links_) {
      samples_.push_back({next_sample_, id, link.up, link.received - received_at_last_sample_[id], link.round_trip,
                          link.outstanding_bytes});
      received_at_last_sample_[id] = link.received;
    }
  }
}

void SessionRecord::received(const event::BytesReceived& e, TimePoint at) {
  RequestRecord& r = request(e.request);
  const DataSize twice = in_vain(r, e.size);
  r.received += e.size;
  r.twice += twice;
  r.last_byte = at;
  segment(r.segment).received += e.size;
  LinkRecord& link = links_[r.link];
  link.received += e.size;
  link.in_vain += twice;
  link.outstanding_bytes -= e.size;
}

DataSize SessionRecord::in_vain(const RequestRecord& r, DataSize size) {
  SegmentRecord& s = segment(r.segment);
  if (r.dropped || s.complete) return size;
  if (s.here.size() <= r.part) s.here.resize(r.part + 1);
  ByteSet& here = s.here[r.part];
  const DataSize begin = r.range.begin + r.received, before = here.size();
  here.add({begin, begin + size});
  return size - (here.size() - before);
}

void SessionRecord::request_ended(RequestId id, std::string status, TimePoint at) {
  RequestRecord& r = request(id);
  r.status = std::move(status);
  r.ended = at;
  LinkRecord& link = links_[r.link];
  link.outstanding_bytes -= r.range.size() - r.received;
  if (--link.outstanding == 0) {
    link.busy += at - *link.busy_since;
    link.busy_since.reset();
  }
}

void SessionRecord::link_changed(LinkId id, bool up, TimePoint at) {
  LinkRecord& link = links_[id];
  link.up = up;
  link.changes.push_back({at, up});
}

/// The late segment is the first that is not complete. Segments are requested in their order, so bytes of later ones
/// count as carried meanwhile, too.
void SessionRecord::playout_stands_still() {
  auto late = segments_.begin();
  while (late != segments_.end() && (late->second.skipped || late->second.complete)) ++late;
  if (late == segments_.end()) return;
  DataSize carried;
  for (auto s = late; s != segments_.end(); ++s) carried += s->second.received;
  late->second.carried_until_due = carried;
}

/// Keeps the last segments_kept_ segments before `segment`, and forgets those before them.
void SessionRecord::forget_before(SegmentIndex segment) {
  if (!segments_kept_ || to_index(segment) < *segments_kept_) return;
  segments_.erase(segments_.begin(),
                  segments_.lower_bound(static_cast<SegmentIndex>(to_index(segment) - *segments_kept_)));
  last_asked_ = nullptr;
  forget_requests();
}

void SessionRecord::forget_all() {
  if (!segments_kept_) return;
  segments_.clear();
  last_asked_ = nullptr;
  if (!requests_.empty()) last_before_seek_ = requests_.back().id;
  forget_requests();
}

/// Forgets requests of forgotten segments, samples before the first kept request, and all but the last 100 changes of a
/// link. The last request stays, because it tells the number of the next.
void SessionRecord::forget_requests() {
  constexpr std::size_t kChanges = 100;
  const auto forgotten = [&](const RequestRecord& r) {
    const bool before_seek = r.id <= last_before_seek_;
    return r.ended && (before_seek || segments_.empty() || r.segment < segments_.begin()->first);
  };
  while (requests_.size() > 1 && forgotten(requests_.front())) requests_.pop_front();
  while (!samples_.empty() && !requests_.empty() && samples_.front().at < requests_.front().sent) samples_.pop_front();
  for (auto& [id, link] : links_) {
    if (link.changes.size() > kChanges)
      link.changes.erase(link.changes.begin(), link.changes.end() - static_cast<std::ptrdiff_t>(kChanges));
  }
}

void SessionRecord::begin_anew(SegmentRecord& segment) {
  SegmentRecord fresh;
  fresh.segment = segment.segment;
  fresh.published = segment.published;
  if (segment.requested && !segment.complete && !segment.skipped) {
    fresh.received = segment.received;
    fresh.lowered_from = segment.lowered_from.value_or(segment.quality);
  }
  segment = fresh;
}

void SessionRecord::drop(SegmentIndex index) {
  for (RequestRecord& r : requests_) {
    if (r.dropped || r.segment != index) continue;
    r.dropped = true;
    links_[r.link].in_vain += r.received - r.twice;
  }
}

SegmentRecord& SessionRecord::segment(SegmentIndex index) {
  if (last_asked_ == nullptr || last_asked_->segment != index) {
    last_asked_ = &segments_[index];
    last_asked_->segment = index;
  }
  return *last_asked_;
}

}  // namespace tributary
