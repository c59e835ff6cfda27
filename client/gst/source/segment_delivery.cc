#include "gst/source/segment_delivery.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gst/readers/media_caps.hh"
#include "gst/source/sample_times.hh"
#include "media/iso_box.hh"

namespace tributary {
namespace {

GstClockTime clock_time(Duration time) { return static_cast<GstClockTime>(std::max(time, Duration{}).count()); }

/// Sound is cut only near the picture's cuts, and pictures are shown a little after they are decoded.
constexpr Duration kAround = std::chrono::seconds{1};

/// Playlists round the durations of segments, and the differences add up. More than this is mended, which can be seen.
constexpr Duration kMostDrift = std::chrono::milliseconds{500};

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

/// The stream that times are measured by: the picture, or else the sound. Null if there is none that tells.
const ReadStream* leading_stream(const ReadPart& part) {
  for (const TrackKind kind : {TrackKind::kVideo, TrackKind::kAudio}) {
    for (const ReadStream& stream : part.content.streams) {
      if (stream.kind == kind && stream.timed && !stream.samples.empty()) return &stream;
    }
  }
  return nullptr;
}

/// The media are where the manifest lists them.
bool is_as_listed(const ReadPart& part, const ReadStream& stream, const TrackClock& clock) {
  const auto at = clock.time_of(stream.begin() + turns_of(stream, part.start, clock), stream.timescale);
  return at && std::chrono::abs(*at - part.start) <= kMostDrift;
}

}  // namespace

void SegmentDelivery::open(const StreamInfo& info) {
  presentation_ = info.presentation;
  leading_ = info.qualities.empty() ? 0 : info.qualities.front();
  measured_.clear();
  sound_apart_ = info.sound.has_value();
  live_ = info.live;
  around_ = kAround + (presentation_.own_grids ? longest_sound(presentation_) : Duration{});
}

void SegmentDelivery::close() {
  outputs_.clear();
  readers_.forget();
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
      readers_.take_init(part, presentation_.tracks[part.track]);
    } catch (const BoxError& error) {
      complain(segment, part.track, error.what());
    }
  }
}

void SegmentDelivery::deliver(const MediaSegment& segment) {
  remember_init(segment);
  std::vector<ReadPart> parts = read_parts(segment);
  measure_times(parts);
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
    bool any = false, event_is_pushed = false;
    const auto push_event_once = [&] {
      if (event && !std::exchange(event_is_pushed, true)) output.output->push_event(gst_event_ref(event.get()));
    };
    for (ReadPart& part : parts) {
      for (ReadStream& stream : part.content.streams) {
        if (!goes_to(output, part, stream)) continue;
        if (output.caps && !have_same_codec(*output.caps, *stream.caps)) {
          complain(segment, part.track, "its codec is another one than at first");
          continue;
        }
        push_caps(output, stream.caps.get());
        push_event_once();
        any |= push_samples(output, segment, part, stream, event != nullptr && !any);
      }
    }
    if (!announced_.contains(output.output.get()) && output.caps) push_caps(output, output.caps.get());
    push_event_once();
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

std::optional<Duration> SegmentDelivery::media_ahead(Duration position) const {
  const Measured* last = nullptr;
  for (const Measured& one : measured_) {
    const bool begun = one.stretch_begin <= position + kStretchesApart;
    if (begun && (last == nullptr || one.stretch_begin > last->stretch_begin)) last = &one;
  }
  return last == nullptr ? std::nullopt : std::optional{last->of_media - last->position};
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

std::vector<ReadPart> SegmentDelivery::read_parts(const MediaSegment& segment) {
  std::vector<ReadPart> parts;
  for (const MediaSegment::Part& part : segment.parts) {
    if (part.init || part.track >= presentation_.tracks.size() || (live_ && part.bytes->empty())) continue;
    parts.push_back(readers_.read(part));
    if (const auto& damage = parts.back().content.damage) complain(segment, part.track, *damage);
  }
  return parts;
}

void SegmentDelivery::measure_times(const std::vector<ReadPart>& parts) {
  if (!presentation_.times_are_measured) return;
  for (const TrackKind kind : {TrackKind::kVideo, TrackKind::kAudio}) {
    for (const ReadPart& part : parts) {
      Measured* const known = measured(part);
      // Sound that is cut at other places may not begin where the manifest says: the picture's time holds for it.
      if (part.kind != kind || (known != nullptr && kind == TrackKind::kAudio)) continue;
      const ReadStream* const stream = leading_stream(part);
      if (stream == nullptr) continue;
      const auto begins = ticks_to_time(stream->begin(), stream->timescale);
      if (!begins || (known != nullptr && is_as_listed(part, *stream, clock_of(part)))) continue;
      const Measured now{part.stretch.begin, *begins, part.start};
      if (known != nullptr)
        *known = now;
      else
        measured_.push_back(now);
    }
  }
}

SegmentDelivery::Measured* SegmentDelivery::measured(const ReadPart& part) {
  const auto found = std::ranges::find_if(measured_, [&](const Measured& one) {
    return std::chrono::abs(one.stretch_begin - part.stretch.begin) <= kStretchesApart;
  });
  return found == measured_.end() ? nullptr : &*found;
}

TrackClock SegmentDelivery::clock_of(const ReadPart& part) {
  TrackClock clock{presentation_.tracks[part.track], part.stretch.offset, presentation_.tracks.at(leading_)};
  if (const Measured* one = measured(part)) clock.set(one->of_media, one->position);
  return clock;
}

bool SegmentDelivery::goes_to(const Output& output, const ReadPart& part, const ReadStream& stream) const {
  if (stream.kind != output.kind) return false;
  const bool of_sound = part.kind == TrackKind::kAudio;
  return stream.kind == TrackKind::kVideo ? !of_sound : of_sound == sound_apart_;
}

void SegmentDelivery::push_caps(const Output& output, GstCaps* caps) {
  GstHandle<GstCaps>& announced = announced_[output.output.get()];
  if (announced && gst_caps_is_equal(announced.get(), caps) != FALSE) return;
  announced.reset(gst_caps_ref(caps));
  output.output->push_event(gst_event_new_caps(caps));
}

bool SegmentDelivery::push_samples(const Output& output, const MediaSegment& segment, const ReadPart& part,
                                   ReadStream& stream, bool first) {
  const auto before = pushed_until_.find(output.output.get());
  const TimedSamples samples =
      timed_samples(std::move(stream),
                    {.start = segment.start,
                     .duration = segment.duration,
                     .around = around_,
                     .stretch = part.stretch,
                     .until = before == pushed_until_.end() ? std::nullopt : std::optional{before->second}},
                    clock_of(part));
  Duration& until = pushed_until_[output.output.get()];
  if (samples.damage) complain(segment, part.track, *samples.damage);
  for (const GstHandle<GstBuffer>& buffer : samples.buffers) {
    if (std::exchange(first, false)) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DISCONT);
    until = std::max(
        until, Duration{static_cast<Duration::rep>(GST_BUFFER_PTS(buffer.get()) + GST_BUFFER_DURATION(buffer.get()))});
    output.output->push(GstHandle<GstMiniObject>{GST_MINI_OBJECT_CAST(gst_buffer_ref(buffer.get()))});
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
