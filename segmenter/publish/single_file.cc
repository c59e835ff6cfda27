#include "segmenter/publish/single_file.hh"

#include <fmt/format.h>

#include "segmenter/failure.hh"
#include "segmenter/publish/segment_index_box.hh"

namespace tributary::segmenter {

std::vector<std::byte> begin_single_file(Track& track, std::span<const std::byte> init) {
  std::vector<std::byte> head{init.begin(), init.end()};
  try {
    if (track.init) {
      const std::vector<std::byte> index = write_segment_index(segment_index_of(track));
      head.insert(head.end(), index.begin(), index.end());
    }
  } catch (const BoxError& error) {
    throw Failure{ExitCode::kOutput, fmt::format("cannot write {}: {}", track.uri, error.what())};
  }
  DataSize offset{static_cast<std::int64_t>(head.size())};
  for (const DataSize size : track.sizes) {
    track.file_offsets.push_back(offset);
    offset += size;
  }
  return head;
}

}  // namespace tributary::segmenter
