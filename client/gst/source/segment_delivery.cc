#include "gst/source/segment_delivery.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gst/source/media_caps.hh"
#include "gst/source/sample_buffers.hh"

namespace tributary {
namespace {

GstClockTime clock_time(Duration time) { return static_cast<GstClockTime>(std::max(time, Duration{}).count()); }

const Track& leading_track(const StreamInfo& info) {
  return info.presentation.tracks.at(info.qualities.empty() ? 0 : info.qualities.front());
}

}  // namespace

void SegmentDelivery::open(const StreamInfo& info) {
  presentation_ = info.presentation;
  clocks_.clear();
  for (const Track& track : presentation_.tracks) clocks_.emplace_back(track, leading_track(info));
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
}

void SegmentDelivery::remember_init(const MediaSegment& segment) {
  for (const MediaSegment::Part& part : segment.parts) {
    if (!part.init || part.track >= presentation_.tracks.size()) continue;
    try {
      DecoderSetup setup{read_init(*part.bytes), nullptr};
      setup.caps = caps_of(setup.init, presentation_.tracks[part.track]);
      decoders_.insert_or_assign(part.track, std::move(setup));
    } catch (const BoxError& error) {
      complain(segment, part.track, error.what());
    }
  }
}

void SegmentDelivery::deliver(const MediaSegment& segment) {
  remember_init(segment);
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
    const MediaSegment::Part* const part = part_for(output, segment);
    if (part != nullptr) push_caps(output, part->track);
    if (event) output.output->push_event(gst_event_ref(event.get()));
    push_samples(output, segment, part, event != nullptr);
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

const MediaSegment::Part* SegmentDelivery::part_for(const Output& output, const MediaSegment& segment) {
  for (const MediaSegment::Part& part : segment.parts) {
    if (part.kind != output.kind || part.init || part.track >= presentation_.tracks.size()) continue;
    if (decoders_.contains(part.track)) return &part;
    complain(segment, part.track, "its init segment has not come");
  }
  return nullptr;
}

void SegmentDelivery::push_caps(const Output& output, std::size_t track) {
  const auto [announced, is_new] = announced_.try_emplace(output.output.get(), track);
  if (!is_new && announced->second == track) return;
  announced->second = track;
  output.output->push_event(gst_event_new_caps(decoders_.at(track).caps.get()));
}

void SegmentDelivery::push_samples(const Output& output, const MediaSegment& segment, const MediaSegment::Part* part,
                                   bool first) {
  SampleBuffers samples;
  if (part != nullptr) samples = sample_buffers(segment, *part, decoders_.at(part->track).init, clocks_[part->track]);
  if (samples.damage) complain(segment, part->track, *samples.damage);
  // A gap event, so that no sink waits for samples that will not come.
  if (samples.buffers.empty())
    output.output->push_event(gst_event_new_gap(clock_time(segment.start), clock_time(segment.duration)));
  for (GstHandle<GstBuffer>& buffer : samples.buffers) {
    if (std::exchange(first, false)) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DISCONT);
    output.output->push(GstHandle<GstMiniObject>{GST_MINI_OBJECT_CAST(buffer.release())});
  }
}

void SegmentDelivery::complain(const MediaSegment& segment, std::size_t track, const std::string& what) {
  const std::string& id = presentation_.tracks[track].id;
  complaints_.push_back(fmt::format("segment {} of {}: {}", to_index(segment.index), id, what));
}

}  // namespace tributary
