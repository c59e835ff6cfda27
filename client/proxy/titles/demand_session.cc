#include "proxy/titles/demand_session.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "units/overloaded.hh"

namespace tributary::proxy {
namespace {

constexpr Duration kShortWait = std::chrono::milliseconds{200};  // nobody sees it
constexpr Duration kShowEvery = std::chrono::milliseconds{200};
constexpr DataRate kGuess = DataRate::bits_per_second(1e6);  // HLS and DASH state the rates of qualities, not of files

std::uint64_t ticks_of(Duration duration) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count(), 1));
}

/// The file that is brought in this quality, of so many.
Renditions::File file_of(const WantedMedia& wanted, std::size_t quality, std::size_t qualities) {
  if (wanted.renditions) return wanted.renditions->of_quality(quality, qualities);
  return {wanted.url, wanted.range, wanted.estimate};
}

TrackSegment track_segment(const Renditions::File& file, Duration duration) {
  return {.size = file.range ? file.range->size() : std::max(file.estimate, DataSize{1}),
          .ticks = ticks_of(duration),
          .estimated = !file.range,
          .place = {file.url, file.range ? std::optional{file.range->begin} : std::nullopt}};
}

/// As each quality has it.
std::vector<TrackSegment> track_segments(const WantedMedia& wanted, std::size_t qualities) {
  std::vector<TrackSegment> segments;
  for (std::size_t q = 0; q < qualities; ++q)
    segments.push_back(track_segment(file_of(wanted, q, qualities), wanted.duration));
  return segments;
}

/// What the session needs to choose a quality, if there is a choice.
std::optional<Duration> in_hand(const WantedMedia& wanted) {
  if (!wanted.renditions || wanted.renditions->files().size() < 2) return std::nullopt;
  return wanted.renditions->in_hand();
}

/// Of HTTP, for a file that could not be had.
unsigned status_of(std::optional<FailureReason> reason) { return reason == FailureReason::kNotFound ? 404 : 502; }

}  // namespace

std::string quality_id(std::size_t number) { return number == 0 ? "files" : fmt::format("files-{}", number + 1); }

SegmentTable table_with(const WantedMedia& first, std::vector<DataRate> bitrates) {
  if (bitrates.empty()) bitrates = {kGuess};
  Presentation files;
  files.live = LiveWindow{};
  files.complete = false;
  for (const TrackSegment& segment : track_segments(first, bitrates.size())) {
    const DataRate bitrate = bitrates[files.tracks.size()];
    Track track;
    track.id = quality_id(files.tracks.size());
    track.kind = TrackKind::kData;
    track.group = "files";
    track.timescale = 1000;
    track.bitrate = {bitrate, bitrate, bitrate, bitrate};
    track.durations = {segment.ticks};
    track.sizes = {segment.size};
    track.estimated = {segment.estimated};
    track.places = {segment.place};
    files.tracks.push_back(std::move(track));
  }
  return SegmentTable{std::move(files)};
}

DemandSession::DemandSession(DemandQueue& queue, demand::Want first, const Session& session, LinkUses& uses,
                             StatusRecorder& recorder, StatusBoard& board, Waits& waits)
    : queue_{queue},
      first_{std::move(first)},
      session_{session},
      uses_{uses},
      recorder_{recorder},
      board_{board},
      waits_{waits} {}

// ---- Calls

void DemandSession::advance(TimePoint now, std::deque<TimedEvent>& happened) {
  // The session is told of its links first: what is remembered of them counts for the first file.
  if (!std::exchange(links_told_, true)) return;
  const auto happens = [&](std::optional<Event> event) {
    if (event) happened.push_back({now, *std::move(event)});
  };
  if (first_) {
    add(*first_, now);
    happens(event::SegmentWanted{SegmentIndex{}, coming_.at(SegmentIndex{}).due, in_hand(first_->wanted)});
    first_.reset();
  }
  for (const DemandCall& call : queue_.take()) {
    std::visit(Overloaded{[&](const demand::Want& want) { happens(event_of(want, now, happened)); },
                          [&](const demand::Due& due) { happens(event_of(due, now)); },
                          [&](const demand::NotWanted& not_wanted) { happens(event_of(not_wanted)); },
                          [&](const demand::UseLink& use) { happens(event_of(use)); }, [&](const demand::Expect&) {},
                          [&](const demand::Close&) {
                            closed_ = true;
                            happens(event::StopRequested{"closed"});
                          }},
               call);
  }
  if (now < show_at_) return;
  const StreamStatus status = recorder_.status(now);
  look_for_waits(status, now);
  board_.put_up(status);
  show_at_ = now + kShowEvery;
}

void DemandSession::look_for_waits(const StreamStatus& status, TimePoint now) {
  DataRate rate;
  for (const LinkStatus& link : status.links) rate += link.rate_now;
  for (const auto& [segment, coming] : coming_) {
    if (coming.player_stops && now > *coming.player_stops + kShortWait)
      waits_.is_late(coming.number, now - *coming.player_stops, reason_of_stall(session_, rate, now));
  }
}

void DemandSession::forget(std::map<SegmentIndex, Coming>::iterator coming) {
  waits_.ended(coming->second.number);
  coming_.erase(coming);
}

void DemandSession::add(const demand::Want& want, TimePoint now) {
  if (want.wanted.range) want.file->size_is(want.wanted.range->size());
  const auto& due_in = want.wanted.due_in;
  coming_[next_] = {
      .number = want.number,
      .file = want.file,
      .renditions = want.wanted.renditions,
      .cmcd = want.wanted.cmcd,
      .place = want.wanted.place,
      .due = due_in ? std::optional{now + *due_in} : std::nullopt,
      .player_stops = want.wanted.player_lasts ? std::optional{now + *want.wanted.player_lasts} : std::nullopt};
  if (want.wanted.at_most) at_most_[next_] = *want.wanted.at_most;
  next_ = next(next_);
}

std::optional<Event> DemandSession::event_of(const demand::Want& want, TimePoint now,
                                             std::deque<TimedEvent>& happened) {
  const SegmentIndex segment = next_;
  happened.push_back({now, event::SegmentAdded{segment, track_segments(want.wanted, qualities())}});
  add(want, now);
  const auto& due_in = want.wanted.due_in;
  return event::SegmentWanted{segment, due_in ? std::optional{now + *due_in} : std::nullopt, in_hand(want.wanted),
                              in_front_of(want.wanted.place)};
}

std::optional<Event> DemandSession::event_of(const demand::Due& due, TimePoint now) {
  const auto segment = segment_of(due.number);
  if (!segment) return std::nullopt;
  coming_.at(*segment).due = due.in ? std::optional{now + *due.in} : std::nullopt;
  if (due.player_lasts) coming_.at(*segment).player_stops = now + *due.player_lasts;
  return event::SegmentWanted{*segment, coming_.at(*segment).due};
}

std::optional<Event> DemandSession::event_of(const demand::NotWanted& not_wanted) {
  const auto segment = segment_of(not_wanted.number);
  if (!segment) return std::nullopt;
  coming_.at(*segment).file->fail(503, "the player does not want it any more");
  forget(coming_.find(*segment));
  return event::SegmentNotWanted{*segment};
}

std::optional<Event> DemandSession::event_of(const demand::UseLink& use) {
  return uses_.change(use.name, use.use, session_);
}

std::optional<SegmentIndex> DemandSession::segment_of(std::uint64_t number) const {
  const auto found = std::ranges::find(coming_, number, [](const auto& entry) { return entry.second.number; });
  if (found == coming_.end()) return std::nullopt;
  return found->first;
}

std::optional<SegmentIndex> DemandSession::in_front_of(const PlayoutPlace& place) const {
  std::optional<SegmentIndex> last;
  for (const auto& [segment, coming] : coming_) {
    if (place.is_behind(coming.place) && (!last || coming.place.is_behind(coming_.at(*last).place))) last = segment;
  }
  return last;
}

// ---- Bytes

void DemandSession::arrive(SegmentIndex segment, std::uint32_t /*part*/, DataSize offset,
                           std::span<const std::byte> bytes) {
  if (const auto found = coming_.find(segment); found != coming_.end()) found->second.file->put(offset, bytes);
}

void DemandSession::take(SegmentIndex segment, std::vector<MediaPart> parts) {
  const auto found = coming_.find(segment);
  if (found == coming_.end()) return;
  IncomingFile& file = *found->second.file;
  file.size_is(parts.back().size);
  file.complete();  // all of it has arrived
  forget(found);
}

// ---- What else becomes of files

DemandSession::Coming* DemandSession::coming_by(RequestId request) {
  const OutstandingRequest* outstanding = session_.outstanding().find(request);
  if (outstanding == nullptr || outstanding->abandoned) return nullptr;
  const auto found = coming_.find(outstanding->segment);
  return found == coming_.end() ? nullptr : &found->second;
}

transport::RequestFields DemandSession::fields_of(RequestId request) {
  const Coming* const coming = coming_by(request);
  if (coming == nullptr || !coming->cmcd) return {};
  const TimePoint sent = session_.outstanding().find(request)->sent;
  return cmcd_fields(*coming->cmcd, coming->due ? std::optional{*coming->due - sent} : std::nullopt);
}

bool DemandSession::brings_front(RequestId request) const {
  const OutstandingRequest* outstanding = session_.outstanding().find(request);
  return outstanding != nullptr && at_most_.contains(outstanding->segment);
}

DataSize DemandSession::brought_of(RequestId request, DataSize stated) {
  const OutstandingRequest* outstanding = session_.outstanding().find(request);
  if (outstanding == nullptr || outstanding->to_the_end) return stated;  // without a range: all of the file comes
  const auto at_most = at_most_.find(outstanding->segment);
  if (at_most == at_most_.end()) return stated;
  // Requests before the first answer may reach further.
  const ByteSet asked = session_.outstanding().asked_for(outstanding->segment, outstanding->part);
  const DataSize end = std::max(
      {at_most->second, outstanding->range.end, asked.ranges().empty() ? DataSize{} : asked.ranges().back().end});
  if (stated <= end) return stated;
  if (const Coming* coming = coming_by(request)) coming->file->is_front_of(stated);
  return end;
}

void DemandSession::on_event(const Event& event, TimePoint /*at*/) {
  if (const auto* began = std::get_if<event::ResponseBegan>(&event); began != nullptr && began->part_size) {
    if (const Coming* coming = coming_by(began->request)) coming->file->size_is(*began->part_size);
  } else if (const auto* failed = std::get_if<event::RequestFailed>(&event)) {
    if (Coming* coming = coming_by(failed->request)) coming->last_failure = failed->reason;
  }
}

void DemandSession::on_action(const Action& action, TimePoint /*at*/) {
  if (const auto* started = std::get_if<action::StartSegment>(&action)) {
    const auto found = coming_.find(started->segment);
    if (found == coming_.end() || !found->second.renditions) return;
    Renditions& renditions = *found->second.renditions;
    const Renditions::File& file = renditions.of_quality(to_index(started->quality), qualities());
    renditions.choose(file);
    if (file.range) found->second.file->size_is(file.range->size());
  } else if (const auto* skipped = std::get_if<action::SkipSegment>(&action)) {
    const auto found = coming_.find(skipped->segment);
    if (found == coming_.end()) return;
    found->second.file->fail(status_of(found->second.last_failure), skipped->reason);
    forget(found);
  } else if (const auto* finished = std::get_if<action::Finish>(&action)) {
    why_finished_ = finished->reason;
  }
}

void DemandSession::fail_all(unsigned status, const std::string& why) {
  if (first_) first_->file->fail(status, why);
  for (const auto& [segment, coming] : coming_) {
    coming.file->fail(status, why);
    waits_.ended(coming.number);
  }
  coming_.clear();
}

}  // namespace tributary::proxy
