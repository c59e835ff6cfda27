// frames.json of a picture track with three segments.
#include <cstdint>

#include "fuzz_target.hh"
#include "presentation/json/frame_index.hh"

using namespace tributary;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Track track = [] {
    Track made;
    made.id = "low";
    made.kind = TrackKind::kVideo;
    made.timescale = 1000;
    made.durations = {2000, 2000, 2000};
    made.sizes = {DataSize{1000}, DataSize{2000}, DataSize{500}};
    return made;
  }();
  try {
    const FrameIndex read = read_frame_index(fuzz::text(data, size), track);
    fuzz::require(read.size() == track.sizes.size());
    for (std::size_t s = 0; s < read.size(); ++s) {
      for (const Frame& frame : read[s]) fuzz::require(ByteRange{DataSize{}, track.sizes[s]}.contains(frame.range));
    }
    fuzz::require(read_frame_index(write_frame_index(read), track) == read);
  } catch (const JsonError&) {
  }
  return 0;
}
