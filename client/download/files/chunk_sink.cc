#include "download/files/chunk_sink.hh"

namespace tributary {

ChunkSink::ChunkSink(Destination& destination, DownloadState& state, std::vector<ByteRange> chunks)
    : destination_{destination}, state_{state}, chunks_{std::move(chunks)} {}

void ChunkSink::arrive(SegmentIndex segment, std::uint32_t /*part*/, DataSize offset,
                       std::span<const std::byte> bytes) {
  write(chunks_.at(to_index(segment)).begin + offset, bytes);
}

void ChunkSink::write(DataSize at, std::span<const std::byte> bytes) {
  try {
    destination_.write(at, bytes);
  } catch (const WriteError&) {  // as of a full disk: the download can go on from here
    save();
    throw;
  }
  state_.complete.add({at, at + size_of(bytes)});
  if (std::chrono::steady_clock::now() - saved_ >= std::chrono::seconds{1}) save();
}

void ChunkSink::save() {
  destination_.note(state_);
  saved_ = std::chrono::steady_clock::now();
}

}  // namespace tributary
