#include "gst/source/sample_buffers.hh"

#include <fmt/format.h>

namespace tributary {
namespace {

using Bytes = std::shared_ptr<const std::vector<std::byte>>;

/// Memory of GStreamer that shares the bytes and keeps them alive.
GstMemory* shared_memory(const Bytes& bytes) {
  return gst_memory_new_wrapped(GST_MEMORY_FLAG_READONLY,
                                const_cast<std::byte*>(bytes->data()),  // never written: the memory is read-only
                                bytes->size(), 0, bytes->size(), new Bytes{bytes},
                                [](void* holder) { delete static_cast<Bytes*>(holder); });
}

GstHandle<GstBuffer> buffer_of(GstMemory* memory, const MediaSample& sample, Duration shown, Duration duration) {
  GstHandle<GstBuffer> buffer{gst_buffer_new()};
  gst_buffer_append_memory(
      buffer.get(), gst_memory_share(memory, static_cast<gssize>(sample.begin), static_cast<gssize>(sample.size)));
  // No decoding times: the first ones would be negative. Without them, elements go by the order of the buffers.
  GST_BUFFER_PTS(buffer.get()) = static_cast<GstClockTime>(shown.count());
  GST_BUFFER_DURATION(buffer.get()) = static_cast<GstClockTime>(duration.count());
  if (!sample.sync) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DELTA_UNIT);
  return buffer;
}

}  // namespace

SampleBuffers sample_buffers(const MediaSegment& segment, const MediaSegment::Part& part, const InitFacts& init,
                             const TrackClock& clock, Duration around) {
  const Salvage salvage = salvage_segment(*part.bytes, init);
  SampleBuffers made{{}, salvage.damage};
  GstMemory* const memory = shared_memory(part.bytes);
  for (const MediaSample& sample : salvage.facts.samples) {
    const auto shown = clock.time_of(sample.shown, init.timescale);
    const auto ends = clock.time_of(sample.shown + sample.duration, init.timescale);
    if (!shown || !ends || *shown < segment.start - around || *ends > segment.start + segment.duration + around) {
      made.damage = fmt::format("a sample is at tick {}, which is not in the segment", sample.shown);
      break;
    }
    if (*ends <= Duration{}) continue;  // ends before the title begins
    const bool of_stretch = *shown<part.stretch.end&& * ends> part.stretch.begin;
    if (!of_stretch && part.kind == TrackKind::kAudio) continue;  // pictures may be needed by others
    made.buffers.push_back(buffer_of(memory, sample, std::max(*shown, Duration{}), *ends - *shown));
  }
  gst_memory_unref(memory);
  return made;
}

}  // namespace tributary
