#pragma once

#include "gst/readers/segment_reader.hh"
#include "media/cmaf_reader.hh"

namespace tributary {

/// Reads CMAF: one track, whose init segment came before.
class CmafSegmentReader final : public SegmentReader {
 public:
  /// Throws BoxError for an init segment that cannot be read, or a codec that GStreamer has no name for.
  CmafSegmentReader(std::span<const std::byte> init, const Track& track);

  ReadSegment read(const SharedBytes& bytes) const override;

 private:
  InitFacts init_;
  GstHandle<GstCaps> caps_;
};

}  // namespace tributary
