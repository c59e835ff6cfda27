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

/// A segment of sound with a grid of its own is as long as it is.
Duration longest_sound(const Presentation& presentation) {
  Duration longest{};
  for (const Track& track : presentation.tracks) {
    for (std::size_t i = 0; track.kind == TrackKind::kAudio && i < track.durations.size(); ++i)
      longest = std::max(longest, track.duration(static_cast<SegmentIndex>(i)));
  }
  return longest;
}

}  // namespace

void SegmentDelivery::open(const StreamInfo& info) {
  presentation_ = info.presentation;
  times_.open(info.qualities.empty() ? 0 : info.qualities.front());
  sound_apart_ = info.sound.has_value();
  live_ = info.live;
  around_ = kAround + (presentation_.own_grids ? longest_sound(presentation_) : Duration{});
}

void SegmentDelivery::close() {
  outputs_.clear();
  readers_.forget();
  fed_.clear();
  played_.clear();
  complaints_.clear();
}

void SegmentDelivery::restart(std::optional<Duration> position, double speed, guint32 seqnum) {
  start_ = {position, speed, seqnum};
  timeline_.restart(position.value_or(Duration{}), speed);
  timeline_begun_ = false;
  next_.reset();
  delivered_end_ = position.value_or(Duration{});
  fed_.clear();
  played_.clear();
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
  times_.measure(parts);
  const Duration end = segment.start + segment.duration;
  GstHandle<GstEvent> event;
  const bool follows = timeline_begun_ && segment.index == *next_;
  if (!timeline_begun_) {
    timeline_begun_ = true;
    const bool wanted = start_.position && *start_.position >= segment.start && *start_.position < end;
    timeline_.restart(wanted ? *start_.position : segment.start, speed_of(segment));
    event = segment_event(wanted ? *start_.position : segment.start);
  } else if (!follows && !segment.goes_on) {
    timeline_.skip(delivered_end_, segment.start, speed_of(segment));
    event = segment_event(segment.start);
  } else if (speed_of(segment) != timeline_.last_speed() && !segment.goes_on) {
    timeline_.skip(delivered_end_, segment.start, speed_of(segment));
    event = segment_event(segment.start, around_);
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
        any |= push_samples(output, segment, part, stream, event != nullptr && !follows && !any);
      }
    }
    if (output.caps && !fed_[output.output.get()].announced) push_caps(output, output.caps.get());
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
    if (!timeline_begun_) output.output->push_event(segment_event(start_.position.value_or(Duration{})).release());
    GstEvent* const event = gst_event_new_eos();
    if (start_.seqnum != GST_SEQNUM_INVALID) gst_event_set_seqnum(event, start_.seqnum);
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

GstHandle<GstEvent> SegmentDelivery::segment_event(Duration position, Duration earlier) const {
  const double speed = timeline_.last_speed();
  const Duration base = timeline_.last_begins();
  earlier = std::min({earlier, position, from_seconds(to_seconds(base) * speed)});
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.rate = speed;
  segment.base = clock_time(base - from_seconds(to_seconds(earlier) / speed));
  segment.start = segment.time = segment.position = clock_time(position - earlier);
  GstHandle<GstEvent> event{gst_event_new_segment(&segment)};
  if (start_.seqnum != GST_SEQNUM_INVALID) gst_event_set_seqnum(event.get(), start_.seqnum);
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

bool SegmentDelivery::goes_to(const Output& output, const ReadPart& part, const ReadStream& stream) const {
  if (stream.kind != output.kind) return false;
  const bool of_sound = part.kind == TrackKind::kAudio;
  return stream.kind == TrackKind::kVideo ? !of_sound : of_sound == sound_apart_;
}

void SegmentDelivery::push_caps(const Output& output, GstCaps* caps) {
  GstHandle<GstCaps>& announced = fed_[output.output.get()].announced;
  if (announced && gst_caps_is_equal(announced.get(), caps) != FALSE) return;
  announced.reset(gst_caps_ref(caps));
  output.output->push_event(gst_event_new_caps(caps));
}

bool SegmentDelivery::push_samples(const Output& output, const MediaSegment& segment, const ReadPart& part,
                                   ReadStream& stream, bool first) {
  std::optional<Duration>& before = fed_[output.output.get()].until;
  const TimedSamples samples = timed_samples(std::move(stream),
                                             {.start = segment.start,
                                              .duration = segment.duration,
                                              .around = around_,
                                              .stretch = part.stretch,
                                              .until = before},
                                             times_.clock_of(part));
  Duration& until = before.emplace(before.value_or(Duration{}));
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
  std::optional<Duration>& before = fed_[output.output.get()].until;
  Duration& until = before.emplace(before.value_or(Duration{}));
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
