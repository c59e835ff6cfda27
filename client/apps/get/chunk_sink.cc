#include "apps/get/chunk_sink.hh"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace tributary {

ChunkSink::ChunkSink(PartFile& file, std::string state_path, DownloadState& state, std::vector<ByteRange> chunks)
    : file_{file}, state_path_{std::move(state_path)}, state_{state}, chunks_{std::move(chunks)} {}

void ChunkSink::arrive(SegmentIndex segment, std::uint32_t /*part*/, DataSize offset,
                       std::span<const std::byte> bytes) {
  const DataSize at = chunks_.at(to_index(segment)).begin + offset;
  file_.write(at, bytes);
  state_.complete.add({at, at + DataSize{std::ssize(bytes)}});
  if (std::chrono::steady_clock::now() - saved_ >= std::chrono::seconds{1}) save();
}

/// By way of another name: whoever is interrupted meanwhile finds the note before or the note after.
void ChunkSink::save() {
  file_.sync();
  const std::string fresh = state_path_ + ".new";
  errno = 0;
  std::ofstream out{fresh, std::ios::binary};
  std::error_code ignored;  // if it cannot be opened, that is said below
  using std::filesystem::perms;
  permissions(std::filesystem::path{fresh}, perms::owner_read | perms::owner_write,
              ignored);  // a URL may have secrets in it
  out << to_json(state_);
  out.close();
  if (!out || std::rename(fresh.c_str(), state_path_.c_str()) != 0) {
    throw WriteError{fmt::format("cannot write {}: {}", state_path_, std::strerror(errno))};
  }
  saved_ = std::chrono::steady_clock::now();
}

}  // namespace tributary
