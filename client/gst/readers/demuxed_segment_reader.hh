#pragma once

#include "gst/readers/segment_reader.hh"

namespace tributary {

/// Reads what libavformat takes apart (demux/demuxed_segment.hh): MPEG-TS, packed audio, and MP4 with several tracks. Each
/// segment by itself, so that segments may differ in all but their codecs.
class DemuxedSegmentReader final : public SegmentReader {
 public:
  /// `init`: null if segments have none.
  explicit DemuxedSegmentReader(SharedBytes init) : init_{std::move(init)} {}

  ReadSegment read(const SharedBytes& bytes) const override;

 private:
  SharedBytes init_;
};

}  // namespace tributary
