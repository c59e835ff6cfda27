// Prints what demux_segment finds in a segment. By hand: list_frames SEGMENT [INIT].
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>

#include "demux/demuxed_segment.hh"

namespace {

std::vector<std::byte> content_of(const char* path) {
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  const auto bytes = std::as_bytes(std::span{text});
  return {bytes.begin(), bytes.end()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto init = argc > 2 ? content_of(argv[2]) : std::vector<std::byte>{};
  const tributary::DemuxedSegment segment = tributary::demux_segment(init, content_of(argv[1]));
  for (const tributary::DemuxedStream& stream : segment.streams) {
    std::cout << fmt::format("{} {} setup {} {}x{} {} Hz {} channels, {} ticks/s{}\n", to_string(stream.kind),
                             avcodec_get_name(stream.codec), stream.setup.size(), stream.width, stream.height,
                             stream.sample_rate, stream.channels, stream.timescale, stream.timed ? "" : ", untimed");
    for (const tributary::DemuxedFrame& frame : stream.frames)
      std::cout << fmt::format("  {} +{} {} bytes{}\n", frame.shown, frame.duration, frame.packet->size,
                               frame.sync() ? " sync" : "");
  }
  if (segment.damage) std::cout << "damage: " << *segment.damage << "\n";
}
