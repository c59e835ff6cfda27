#include "gst/readers/cmaf_segment_reader.hh"

#include "gst/readers/media_caps.hh"

namespace tributary {
namespace {

/// Memory of GStreamer that shares the bytes and keeps them alive.
GstHandle<GstMemory> shared_memory(const SharedBytes& bytes) {
  return GstHandle<GstMemory>{
      gst_memory_new_wrapped(GST_MEMORY_FLAG_READONLY,
                             const_cast<std::byte*>(bytes->data()),  // never written: the memory is read-only
                             bytes->size(), 0, bytes->size(), new SharedBytes{bytes},
                             [](void* holder) { delete static_cast<SharedBytes*>(holder); })};
}

}  // namespace

CmafSegmentReader::CmafSegmentReader(std::span<const std::byte> init, const Track& track)
    : init_{read_init(init)}, caps_{caps_of(init_, track)} {}

ReadSegment CmafSegmentReader::read(const SharedBytes& bytes) const {
  ReadSegment read;
  Salvage salvage = salvage_segment(*bytes, init_);
  read.damage = std::move(salvage.damage);
  ReadStream& stream = read.streams.emplace_back();
  stream.kind = kind_of(init_);
  stream.caps.reset(gst_caps_ref(caps_.get()));
  stream.timescale = init_.timescale;
  const GstHandle<GstMemory> memory = shared_memory(bytes);
  for (const MediaSample& sample : salvage.facts.samples) {
    GstHandle<GstBuffer> buffer{gst_buffer_new()};
    gst_buffer_append_memory(buffer.get(), gst_memory_share(memory.get(), static_cast<gssize>(sample.begin),
                                                            static_cast<gssize>(sample.size)));
    if (!sample.sync) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DELTA_UNIT);
    stream.samples.push_back({std::move(buffer), sample.shown, sample.duration});
  }
  return read;
}

}  // namespace tributary
