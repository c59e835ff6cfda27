#include "gst/readers/segment_readers.hh"

#include <algorithm>

#include "demux/segment_layout.hh"
#include "gst/readers/cmaf_segment_reader.hh"
#include "gst/readers/demuxed_segment_reader.hh"
#include "media/iso_box.hh"

namespace tributary {
namespace {

bool has_several_tracks(std::span<const std::byte> init) {
  const std::vector<Box> boxes = boxes_in("the init segment", init);
  const auto moov = std::ranges::find(boxes, "moov", &Box::type);
  if (moov == boxes.end()) return false;
  const std::vector<Box> inside = moov->children();
  return std::ranges::count(inside, "trak", &Box::type) > 1;
}

}  // namespace

std::int64_t ReadStream::begin() const {
  const auto first = std::ranges::find_if(samples, [](const ReadSample& sample) {
    return !GST_BUFFER_FLAG_IS_SET(sample.buffer.get(), GST_BUFFER_FLAG_DELTA_UNIT);
  });
  return first != samples.end() ? first->shown : std::ranges::min_element(samples, {}, &ReadSample::shown)->shown;
}

void SegmentReaders::take_init(const MediaSegment::Part& part, const Track& track) {
  std::unique_ptr<SegmentReader>& reader = readers_[place_of(part)];
  reader.reset();
  if (has_several_tracks(*part.bytes)) {
    reader = std::make_unique<DemuxedSegmentReader>(part.bytes);
  } else {
    reader = std::make_unique<CmafSegmentReader>(*part.bytes, track);
  }
}

ReadPart SegmentReaders::read(const MediaSegment::Part& part) const {
  return {part.track, part.kind, part.start, part.stretch, content_of(part)};
}

ReadSegment SegmentReaders::content_of(const MediaSegment::Part& part) const {
  const auto reader = readers_.find(place_of(part));
  if (reader != readers_.end() && reader->second == nullptr) return {{}, "its init segment cannot be read"};
  if (reader != readers_.end()) return reader->second->read(part.bytes);
  if (segment_layout(*part.bytes) == SegmentLayout::kMp4) return {{}, "its init segment has not come"};
  return DemuxedSegmentReader{nullptr}.read(part.bytes);
}

}  // namespace tributary
