#include "worlds/network_world.hh"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "presentation/segment_limits.hh"
#include "worlds/transport_events.hh"

namespace tributary {
namespace {

// Waking up costs more than what a packet or two bring: a few of them are waited for.
constexpr Duration kGatherFor = std::chrono::milliseconds{1};
constexpr DataSize kWorthWakingUp{32'000};  // and from 256 Mbit/s on nothing is waited for

/// What plays while it comes, or is shown.
bool plays_in_part(const Session& session) {
  return session.options().partial == PartialSegments::kPlay || session.options().playout == PlayoutSource::kReported;
}

}  // namespace

NetworkWorld::NetworkWorld(const Session& session, transport::CurlLoop& loop, LinkMonitor& monitor,
                           Connections connections, Options options)
    : loop_{loop},
      monitor_{monitor},
      connections_{std::move(connections)},
      options_{std::move(options)},
      table_{session.table()},
      parts_{session.table(), session.outstanding(),
             plays_in_part(session) || (options_.sink != nullptr && options_.sink->wants_whole())} {
  if (plays_in_part(session)) frames_.emplace();
  if (options_.live_replay) live_.emplace(session.table(), session.options().segments_at_start());
}

TimedEvent NetworkWorld::next_event(std::optional<TimePoint> deadline) {
  TimedEvent next = wait_for_event(deadline);
  if (options_.measurements != nullptr) options_.measurements->note(next.event, next.at);
  return next;
}

TimedEvent NetworkWorld::wait_for_event(std::optional<TimePoint> deadline) {
  while (happened_.empty()) {
    now_ = now();
    look_around();
    if (!happened_.empty()) break;
    if (deadline && *deadline <= now_) return {now_, event::DeadlineReached{}};
    wait(deadline);
  }
  TimedEvent first = std::move(happened_.front());
  happened_.pop_front();
  return first;
}

void NetworkWorld::perform(const Action& action, TimePoint now) {
  if (const auto* start = std::get_if<action::StartSegment>(&action)) {
    parts_.start(*start);
    if (frames_) frames_->start(start->segment, start->quality);
    if (options_.live_origin != nullptr) tell_what_plays(start->quality);
  } else if (const auto* send = std::get_if<action::SendRequest>(&action)) {
    const auto target = parts_.requested().target(*send);
    const bool one_file = options_.file_size.has_value();  // all parts of which are put together
    const bool front = options_.brings_front && options_.brings_front(send->request);
    if (target.piece) pieces_over(send->link).expect(*target.piece);
    transport::HttpTransport& transport = target.piece ? pieces_over(send->link) : transport_of(send->link);
    transport.submit({.id = send->request,
                      .target = connections_.target(target.uri),
                      .range = target.range,
                      .file_size = one_file ? options_.file_size : target.file_size,
                      .open = send->open,
                      .stands_alone = send->afresh && !one_file,
                      .version_chosen = one_file,
                      .largest = front ? std::nullopt : std::optional{target.largest},
                      .longest = front ? kLargestUnlisted : target.largest,
                      .fields = options_.fields_of ? options_.fields_of(send->request) : transport::RequestFields{}},
                     now);
  } else if (const auto* question = std::get_if<action::AskSize>(&action)) {
    transport::RangeRequest request = asked_sizes_.request(*question, table_);
    request.target = connections_.target(request.target);
    transport_of(question->link).submit(request, now);
  } else if (const auto* complete = std::get_if<action::DeliverSegment>(&action)) {
    deliver(*complete);
  } else if (const auto* frames = std::get_if<action::DeliverFrames>(&action)) {
    deliver(*frames);
  } else if (const auto* skipped = std::get_if<action::SkipSegment>(&action)) {
    forget(skipped->segment);
  } else if (const auto* dropped = std::get_if<action::DropSegment>(&action)) {
    forget(dropped->segment);
  } else if (const auto* abandon = std::get_if<action::AbandonRequests>(&action)) {
    transport_of(abandon->link).abandon(now);
    if (const auto pieces = pieces_.find(abandon->link); pieces != pieces_.end()) pieces->second.abandon(now);
  } else if (const auto* lane = std::get_if<action::OpenLane>(&action)) {
    open(lane->lane);
  } else if (const auto* closed = std::get_if<action::CloseLane>(&action)) {
    lanes_.erase(closed->lane);
    pieces_.erase(closed->lane);
  }
}

void NetworkWorld::tell_what_plays(QualityIndex quality) {
  std::vector<std::size_t> tracks{table_.qualities().track(quality)};
  if (table_.sound()) tracks.push_back(*table_.sound());
  options_.live_origin->play(tracks);
}

void NetworkWorld::open(LinkId lane) {
  const auto of_link = std::ranges::find(links_, link_of(lane), [](const auto& entry) { return entry.second.id; });
  const auto& [name, link] = *of_link;
  if (!link.up) return;
  lanes_[lane] = connections_.over(name);
  happened_.push_back({now_, event::LinkUp{lane, name, options_.use(name)}});
}

transport::HttpTransport& NetworkWorld::transport_of(LinkId id) {
  if (is_lane(id)) return *lanes_.at(id);
  return *std::ranges::find(links_, id, [](const auto& entry) { return entry.second.id; })->second.transport;
}

PieceTransport& NetworkWorld::pieces_over(LinkId id) {
  const auto found = pieces_.find(id);
  if (found != pieces_.end()) return found->second;
  const auto link = std::ranges::find(links_, link_of(id), [](const auto& entry) { return entry.second.id; });
  const auto connect = [this, name = link->first] { return connections_.over(name); };
  return pieces_.try_emplace(id, connect, inits_).first->second;
}

TimePoint NetworkWorld::now() const {
  return TimePoint{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
}

/// Everything that has happened by now_, in a fixed order.
void NetworkWorld::look_around() {
  if (stop_) {
    happened_.push_back({now_, event::StopRequested{"stopped by the user"}});
    return;
  }
  if (options_.others != nullptr) options_.others->advance(now_, happened_);
  if (links_changed_) look_at_links();
  while (live_ && live_->next_at() && *live_->next_at() <= now_) {
    happened_.push_back({now_, live_->publish()});
  }
  if (options_.live_origin != nullptr) options_.live_origin->advance(now_, links_to_use(), happened_);
  for (auto& [name, link] : links_) {
    link.transport->advance(now_);
    take_events(link.id, *link.transport);
  }
  for (auto& [id, transport] : lanes_) {
    transport->advance(now_);
    take_events(id, *transport);
  }
  for (auto& [id, pieces] : pieces_) {
    pieces.advance(now_);
    take_events(id, pieces);
  }
}

void NetworkWorld::look_at_links() {
  links_changed_ = false;
  std::vector<LinkChangeNotice> notices = monitor_.poll();
  // A link for when it is needed comes last: it must not be taken for the only one.
  std::ranges::stable_partition(notices, [this](const LinkChangeNotice& notice) {
    return options_.use(notice.link.name) != LinkUse::kWhenNeeded;
  });
  for (const LinkChangeNotice& notice : notices) {
    auto it = links_.find(notice.link.name);
    if (it == links_.end()) {
      if (!notice.usable) continue;
      const auto id = static_cast<LinkId>(links_.size());
      it = links_.emplace(notice.link.name, Link{id, false, connections_.over(notice.link.name)}).first;
    }
    Link& link = it->second;
    if (link.up == notice.usable) continue;
    link.up = notice.usable;
    if (link.up) {
      event::LinkUp up{link.id, notice.link.name, options_.use(notice.link.name)};
      if (options_.one_connection) up.one_connection = options_.one_connection(notice.link.name);
      happened_.push_back({now_, std::move(up)});
    } else {
      happened_.push_back({now_, event::LinkDown{link.id, notice.why}});
      link.transport->close(FailureReason::kLinkDown, now_);
      close_all_of(link.id);
    }
  }
}

/// Its lanes, and the connections that bring pieces over it.
void NetworkWorld::close_all_of(LinkId link) {
  for (auto& [id, transport] : lanes_) {
    if (link_of(id) == link) transport->close(FailureReason::kLinkDown, now_);
  }
  for (auto& [id, pieces] : pieces_) {
    if (link_of(id) == link) pieces.close(FailureReason::kLinkDown, now_);
  }
}

/// Pieces are cut by the times that an init segment tells.
void NetworkWorld::learn_init(RequestId request) {
  const bool may_have_pieces = options_.live_origin != nullptr;  // now, or later
  const auto init = may_have_pieces ? parts_.init_of(request) : std::nullopt;
  if (!init) return;
  try {
    inits_.insert_or_assign(init->track, read_init(init->bytes));
  } catch (const BoxError&) {
    inits_.erase(init->track);
  }
}

std::vector<std::string> NetworkWorld::links_to_use() const {
  std::vector<std::string> names, when_needed;
  for (const auto& [name, link] : links_) {
    if (!link.up) continue;
    const LinkUse use = options_.use(name);
    if (use == LinkUse::kUse) names.push_back(name);
    if (use == LinkUse::kWhenNeeded) when_needed.push_back(name);
  }
  return names.empty() ? when_needed : names;
}

void NetworkWorld::take_events(LinkId id, transport::HttpTransport& transport) {
  while (auto event = transport.next_event()) {
    if (asked_sizes_.take(*event, happened_, now_)) continue;
    if (const auto* body = std::get_if<transport::BodyReceived>(&*event)) store(*body);
    if (auto* began = std::get_if<transport::ResponseBegan>(&*event); began != nullptr && began->file_size) {
      if (options_.brought_of) began->file_size = options_.brought_of(began->id, *began->file_size);
      parts_.learn_size(began->id, *began->file_size);
    }
    if (const auto* done = std::get_if<transport::RequestDone>(&*event)) {
      parts_.finish(done->id);
      learn_init(done->id);
    }
    const auto* const failed = std::get_if<transport::RequestFailed>(&*event);
    if (failed != nullptr) parts_.fail(failed->id);
    if (failed != nullptr && failed->reason == FailureReason::kNotFound && options_.live_origin != nullptr)
      options_.live_origin->look_again();
    append_events(happened_, *event, id, transport, now_);
  }
}

void NetworkWorld::store(const transport::BodyReceived& body) {
  came_ += DataSize{static_cast<std::int64_t>(body.bytes.size())};
  const auto place = parts_.store(body);
  if (place && options_.sink != nullptr) options_.sink->arrive(place->segment, place->part, place->offset, body.bytes);
  if (!place || !frames_ || !parts_.is_picture(*place)) return;
  const ByteRange range{place->offset, place->offset + size_of(body.bytes)};
  if (auto told = frames_->came(place->segment, range, parts_.picture(place->segment)))
    happened_.push_back({now_, std::move(*told)});
}

void NetworkWorld::deliver(const action::DeliverSegment& complete) {
  const SegmentIndex segment = complete.segment;
  const bool in_part = complete.begin > 0;
  const bool any_left = complete.end == 0 || complete.end > complete.begin;
  if (!in_part) {
    std::vector<MediaPart> media = parts_.take(segment);
    if (options_.sink != nullptr) options_.sink->take(segment, std::move(media));
  } else {
    if (any_left) deliver(action::DeliverFrames{segment, complete.begin, complete.end});
    if (complete.end == 0 && options_.sink != nullptr) options_.sink->came_whole(segment, parts_.take(segment));
  }
  forget(segment);
}

void NetworkWorld::deliver(const action::DeliverFrames& frames) {
  if (options_.sink == nullptr) return;
  const bool first = frames.begin == 0;
  std::vector<MediaPart> media;
  if (first) media = parts_.others(frames.segment);
  MediaBytes bytes = frames_->frames(frames.segment, parts_.picture(frames.segment), frames.begin, frames.end);
  media.push_back(parts_.as_picture(frames.segment, std::move(bytes)));
  options_.sink->take_frames(frames.segment, std::move(media), first);
}

void NetworkWorld::forget(SegmentIndex segment) {
  parts_.forget(segment);
  if (frames_) frames_->forget(segment);
}

/// Lets the bytes of a millisecond come, if those that came last were few.
void NetworkWorld::gather(std::optional<TimePoint> deadline) {
  const DataSize came = std::exchange(came_, DataSize{});
  if (came == DataSize{} || came >= kWorthWakingUp) return;
  const TimePoint until = std::min(now_ + kGatherFor, deadline.value_or(TimePoint::max()));
  const TimePoint present = now();
  if (until > present) std::this_thread::sleep_for(until - present);
}

void NetworkWorld::wait(std::optional<TimePoint> deadline) {
  const auto consider = [&](std::optional<TimePoint> t) {
    if (t && (!deadline || *t < *deadline)) deadline = t;
  };
  if (live_) consider(live_->next_at());
  if (options_.live_origin != nullptr) consider(options_.live_origin->next_deadline());
  if (options_.others != nullptr) consider(options_.others->next_deadline());
  for (const auto& [name, link] : links_) consider(link.transport->next_deadline());
  for (const auto& [id, transport] : lanes_) consider(transport->next_deadline());
  for (const auto& [id, pieces] : pieces_) consider(pieces.next_deadline());

  gather(deadline);
  // Those that are not there are passed over.
  const int others_fd = options_.others != nullptr ? options_.others->file_descriptor() : -1;
  std::array<transport::CurlLoop::ExtraFd, 3> extra{{{monitor_.file_descriptor()}, {options_.stop_fd}, {others_fd}}};
  std::optional<Duration> timeout;
  if (deadline) timeout = std::max(*deadline - now(), Duration::zero());
  loop_.wait(timeout, extra);
  links_changed_ = links_changed_ || extra[0].ready;
  stop_ = extra[1].ready;
}

}  // namespace tributary
