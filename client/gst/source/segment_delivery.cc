#include "gst/source/segment_delivery.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gst/source/media_caps.hh"
#include "gst/source/sample_buffers.hh"

namespace tributary {
namespace {

GstClockTime clock_time(Duration time) { return static_cast<GstClockTime>(std::max(time, Duration{}).count()); }

/// Sound is cut only near the picture's cuts, and pictures are shown a little after they are decoded.
constexpr Duration kAround = std::chrono::seconds{1};

/// Stretches of picture and sound that begin this close to one another are the same, and share their time.
constexpr Duration kStretchesApart = std::chrono::milliseconds{500};

/// A segment of sound with a grid of its own is as long as it is.
Duration longest_sound(const Presentation& presentation) {
  Duration longest{};
  for (const Track& track : presentation.tracks) {
    for (std::size_t i = 0; track.kind == TrackKind::kAudio && i < track.durations.size(); ++i)
      longest = std::max(longest, track.duration(static_cast<SegmentIndex>(i)));
  }
  return longest;
}

const Track& leading_track(const StreamInfo& info) {
  return info.presentation.tracks.at(info.qualities.empty() ? 0 : info.qualities.front());
}

}  // namespace

void SegmentDelivery::open(const StreamInfo& info) {
  presentation_ = info.presentation;
  leading_ = leading_track(info);
  measured_.clear();
  around_ = kAround + (presentation_.own_grids ? longest_sound(presentation_) : Duration{});
}

void SegmentDelivery::close() {
  outputs_.clear();
  decoders_.clear();
  announced_.clear();
  played_.clear();
  complaints_.clear();
}

void SegmentDelivery::restart(std::optional<Duration> position, double speed, guint32 seqnum) {
  wanted_ = position;
  speed_ = speed;
  seqnum_ = seqnum;
  timeline_.restart(position.value_or(Duration{}), speed);
  timeline_begun_ = false;
  next_.reset();
  delivered_end_ = position.value_or(Duration{});
  announced_.clear();
  played_.clear();
  pushed_until_.clear();
}

void SegmentDelivery::remember_init(const MediaSegment& segment) {
  for (const MediaSegment::Part& part : segment.parts) {
    if (!part.init || part.track >= presentation_.tracks.size()) continue;
    try {
      DecoderSetup setup{read_init(*part.bytes), nullptr};
      setup.caps = caps_of(setup.init, presentation_.tracks[part.track]);
      decoders_.insert_or_assign(place_of(part), std::move(setup));
    } catch (const BoxError& error) {
      complain(segment, part.track, error.what());
    }
  }
}

void SegmentDelivery::deliver(const MediaSegment& segment) {
  remember_init(segment);
  measure_times(segment);
  const Duration end = segment.start + segment.duration;
  GstHandle<GstEvent> event;
  if (!timeline_begun_) {
    timeline_begun_ = true;
    const bool wanted = wanted_ && *wanted_ >= segment.start && *wanted_ < end;
    timeline_.restart(wanted ? *wanted_ : segment.start, speed_);
    event = segment_event(wanted ? *wanted_ : segment.start);
  } else if (segment.index != *next_) {
    timeline_.skip(delivered_end_, segment.start);
    event = segment_event(segment.start);
  }
  for (const Output& output : outputs_) {
    const std::vector<const MediaSegment::Part*> parts = parts_for(output, segment);
    if (!parts.empty()) push_caps(output, *parts.front());
    if (event) output.output->push_event(gst_event_ref(event.get()));
    bool any = false;
    for (const MediaSegment::Part* part : parts) {
      push_caps(output, *part);
      any |= push_samples(output, segment, *part, event != nullptr && !any);
    }
    if (!any) push_gap(output, segment);
  }
  next_ = tributary::next(segment.index);
  delivered_end_ = end;
  constexpr std::size_t kKept = 512;
  if (played_.empty() || played_.back().quality != segment.quality) played_.push_back({segment.start, segment.quality});
  if (played_.size() > kKept) played_.pop_front();
}

void SegmentDelivery::end() {
  for (const Output& output : outputs_) {
    if (!timeline_begun_) output.output->push_event(segment_event(wanted_.value_or(Duration{})).release());
    GstEvent* const event = gst_event_new_eos();
    if (seqnum_ != GST_SEQNUM_INVALID) gst_event_set_seqnum(event, seqnum_);
    output.output->push_event(event);
  }
}

std::optional<QualityIndex> SegmentDelivery::quality_at(Duration position) const {
  std::optional<QualityIndex> quality;
  for (const Played& played : played_) {
    if (!quality || played.start <= position) quality = played.quality;
  }
  return quality;
}

std::vector<std::string> SegmentDelivery::take_complaints() { return std::exchange(complaints_, {}); }

GstHandle<GstEvent> SegmentDelivery::segment_event(Duration position) const {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.rate = speed_;
  segment.base = clock_time(timeline_.last_begins());
  segment.start = segment.time = segment.position = clock_time(position);
  GstHandle<GstEvent> event{gst_event_new_segment(&segment)};
  if (seqnum_ != GST_SEQNUM_INVALID) gst_event_set_seqnum(event.get(), seqnum_);
  return event;
}

void SegmentDelivery::measure_times(const MediaSegment& segment) {
  if (!presentation_.times_are_measured) return;
  for (const TrackKind kind : {TrackKind::kVideo, TrackKind::kAudio}) {
    for (const MediaSegment::Part& part : segment.parts) {
      const auto decoder = decoders_.find(place_of(part));
      if (part.kind != kind || part.init || decoder == decoders_.end() || measured(part)) continue;
      const Salvage salvage = salvage_segment(*part.bytes, decoder->second.init);
      if (salvage.facts.samples.empty()) continue;
      const auto begins = ticks_to_time(salvage.facts.begin(), decoder->second.init.timescale);
      if (begins) measured_.push_back({part.stretch.begin, *begins, part.start});
    }
  }
}

const SegmentDelivery::Measured* SegmentDelivery::measured(const MediaSegment::Part& part) const {
  const auto found = std::ranges::find_if(measured_, [&](const Measured& one) {
    return std::chrono::abs(one.stretch_begin - part.stretch.begin) <= kStretchesApart;
  });
  return found == measured_.end() ? nullptr : &*found;
}

TrackClock SegmentDelivery::clock_of(const MediaSegment::Part& part) const {
  TrackClock clock{presentation_.tracks[part.track], part.stretch.offset, leading_};
  if (const Measured* one = measured(part)) clock.set(one->of_media, one->position);
  return clock;
}

std::vector<const MediaSegment::Part*> SegmentDelivery::parts_for(const Output& output, const MediaSegment& segment) {
  std::vector<const MediaSegment::Part*> parts;
  for (const MediaSegment::Part& part : segment.parts) {
    if (part.kind != output.kind || part.init || part.track >= presentation_.tracks.size()) continue;
    if (decoders_.contains(place_of(part))) {
      parts.push_back(&part);
    } else {
      complain(segment, part.track, "its init segment has not come");
    }
  }
  return parts;
}

void SegmentDelivery::push_caps(const Output& output, const MediaSegment::Part& part) {
  const auto [announced, is_new] = announced_.try_emplace(output.output.get(), place_of(part));
  if (!is_new && announced->second == place_of(part)) return;
  announced->second = place_of(part);
  output.output->push_event(gst_event_new_caps(decoders_.at(place_of(part)).caps.get()));
}

bool SegmentDelivery::push_samples(const Output& output, const MediaSegment& segment, const MediaSegment::Part& part,
                                   bool first) {
  SampleBuffers samples = sample_buffers(segment, part, decoders_.at(place_of(part)).init, clock_of(part), around_);
  if (samples.damage) complain(segment, part.track, *samples.damage);
  Duration& until = pushed_until_[output.output.get()];
  for (GstHandle<GstBuffer>& buffer : samples.buffers) {
    if (std::exchange(first, false)) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DISCONT);
    until = std::max(
        until, Duration{static_cast<Duration::rep>(GST_BUFFER_PTS(buffer.get()) + GST_BUFFER_DURATION(buffer.get()))});
    output.output->push(GstHandle<GstMiniObject>{GST_MINI_OBJECT_CAST(buffer.release())});
  }
  return !samples.buffers.empty();
}

void SegmentDelivery::push_gap(const Output& output, const MediaSegment& segment) {
  Duration& until = pushed_until_[output.output.get()];
  const Duration begin = std::max(until, segment.start), end = segment.start + segment.duration;
  if (end - begin <= segment.duration / 5) return;  // what follows may begin a little before the next segment
  output.output->push_event(gst_event_new_gap(clock_time(begin), clock_time(end - begin)));
  until = end;
}

void SegmentDelivery::complain(const MediaSegment& segment, std::size_t track, const std::string& what) {
  const std::string& id = presentation_.tracks[track].id;
  complaints_.push_back(fmt::format("segment {} of {}: {}", to_index(segment.index), id, what));
}

}  // namespace tributary
