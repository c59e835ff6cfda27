#include "worlds/simulated_world.hh"

#include <algorithm>
#include <utility>

#include "worlds/transport_events.hh"

namespace tributary {

SimulatedWorld::SimulatedWorld(const SegmentTable& table, std::vector<LinkScenario> links, std::uint64_t seed,
                               std::uint32_t at_start, const SegmentTable* origin, const FramesOfTracks* frames)
    : origin_{origin == nullptr ? table : *origin}, parts_{origin_}, frames_{frames} {
  if (at_start > 0) live_.emplace(table, at_start);
  for (LinkScenario& scenario : links) {
    // Each link has random numbers of its own, so that a further link does not change the others.
    const auto id = static_cast<LinkId>(links_.size());
    links_.push_back(std::make_unique<Link>(std::move(scenario), id, seed * 1'000'003 + to_index(id)));
  }
}

SimulatedWorld::Link::Link(LinkScenario conditions, LinkId id, std::uint64_t seed)
    : scenario{std::move(conditions)}, bottleneck{scenario, seed} {
  connections.try_emplace(id, scenario, bottleneck);
  look_ahead();
}

TimedEvent SimulatedWorld::next_event(std::optional<TimePoint> deadline) {
  while (!first_ && happened_.empty()) {
    const TimePoint next = earliest();
    if (deadline && *deadline < next) {
      now_ = *deadline;
      return {now_, event::DeadlineReached{}};
    }
    if (next == TimePoint::max()) return {now_, event::StopRequested{"nothing can happen any more"}};
    move_to(next);
  }
  if (first_) return {now_, *std::exchange(first_, std::nullopt)};
  TimedEvent first = std::move(happened_.front());
  happened_.pop_front();
  return first;
}

void SimulatedWorld::perform(const Action& action, TimePoint now) {
  if (const auto* start = std::get_if<action::StartSegment>(&action)) {
    parts_.start(*start);
    if (frames_ != nullptr) tell_frames(*start, now);
  }
  if (const auto* delivered = std::get_if<action::DeliverSegment>(&action)) parts_.forget(delivered->segment);
  if (const auto* skipped = std::get_if<action::SkipSegment>(&action)) parts_.forget(skipped->segment);
  if (const auto* dropped = std::get_if<action::DropSegment>(&action)) parts_.forget(dropped->segment);
  if (const auto* abandon = std::get_if<action::AbandonRequests>(&action)) {
    Link& link = link_with(abandon->link);
    link.connections.at(abandon->link).abandon(now);
    now_ = now;
    take_events(link);
    link.look_ahead();
  }
  if (const auto* question = std::get_if<action::AskSize>(&action)) {
    Link& link = link_with(question->link);
    link.connections.at(question->link).submit(asked_sizes_.request(*question, origin_), now);
    link.look_ahead();
  }
  if (const auto* send = std::get_if<action::SendRequest>(&action)) {
    const auto target = parts_.target(*send);
    Link& link = link_with(send->link);
    link.connections.at(send->link)
        .submit({send->request, target.uri, target.range, target.file_size, send->open}, now);
    link.look_ahead();
  }
  if (const auto* lane = std::get_if<action::OpenLane>(&action)) open(lane->lane, now);
  if (const auto* closed = std::get_if<action::CloseLane>(&action)) {
    Link& link = link_with(closed->lane);
    link.connections.erase(closed->lane);
    link.look_ahead();
  }
}

void SimulatedWorld::open(LinkId lane, TimePoint now) {
  Link& link = link_with(lane);
  if (!link.up) return;
  // Packets that other connections have sent by now enter the bottleneck before those of the new one.
  now_ = now;
  for (auto& [_, transport] : link.connections) transport.advance(now);
  take_events(link);
  link.connections.try_emplace(lane, link.scenario, link.bottleneck);
  happened_.push_back({now, event::LinkUp{lane, link.scenario.name}});
  link.look_ahead();
}

void SimulatedWorld::tell_frames(const action::StartSegment& start, TimePoint now) {
  const auto track = frames_->find(origin_.qualities().track(start.quality));
  if (track == frames_->end()) return;
  event::FramesTold told{start.segment, start.quality, {}};
  for (const Frame& frame : track->second.at(to_index(start.segment))) told.ends.push_back(frame.range.end);
  happened_.push_back({now, std::move(told)});
}

void SimulatedWorld::Link::look_ahead() {
  due = next_change;
  for (const auto& [_, transport] : connections) due = std::min(due, transport.due(connections.size() == 1));
}

TimePoint SimulatedWorld::earliest() const {
  TimePoint at = TimePoint::max();
  for (const auto& link : links_) at = std::min(at, link->due);
  if (live_) at = std::min(at, live_->next_at().value_or(at));
  return at;
}

void SimulatedWorld::move_to(TimePoint now) {
  now_ = std::max(now_, now);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = *links_[i];
    if (link.due > now_) continue;
    const auto id = static_cast<LinkId>(i);
    if (link.next_change <= now_) change_state(id, link);
    for (auto& [_, transport] : link.connections) transport.advance(now_);
    take_events(link);
    link.look_ahead();
  }
  while (live_ && live_->next_at() && *live_->next_at() <= now_) {
    happened_.push_back({now_, live_->publish()});
  }
}

void SimulatedWorld::change_state(LinkId id, Link& link) {
  const bool up = link.scenario.at(now_).up;
  link.next_change = link.scenario.next_change(now_).value_or(TimePoint::max());
  if (up == link.up) return;
  link.up = up;
  if (up) {
    happened_.push_back({now_, event::LinkUp{id, link.scenario.name}});
  } else {
    happened_.push_back({now_, event::LinkDown{id, "down by scenario"}});
    for (auto& [_, transport] : link.connections) transport.close(FailureReason::kLinkDown, now_);
  }
}

void SimulatedWorld::take_events(Link& link) {
  for (auto& [id, transport] : link.connections) take_events(id, transport);
}

void SimulatedWorld::take_events(LinkId id, SimulatedTransport& transport) {
  auto& events = transport.events();
  if (!first_ && happened_.empty() && !events.empty()) {
    const auto* body = std::get_if<transport::BodyReceived>(&events.front());
    if (body != nullptr && !asked_sizes_.has(body->id)) {
      first_ = bytes_received(*body);
      events.pop_front();
    }
  }
  for (; !events.empty(); events.pop_front()) {
    if (!asked_sizes_.take(events.front(), happened_, now_))
      append_events(happened_, events.front(), id, transport, now_);
  }
}

}  // namespace tributary
