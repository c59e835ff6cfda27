#include "worlds/pieces/growing_file.hh"

namespace tributary {

void GrowingFile::add(std::span<const std::byte> bytes) {
  const bool waited = bytes_.empty() || (cut_ && cut_->between_chunks());
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  if (!waited) return;
  paced_from_ = bytes_.size() - bytes.size();
  paced_to_ = bytes_.size();
}

void GrowingFile::cut(const InitFacts& init, Duration lasts, std::uint32_t pieces) {
  if (!cut_) cut_.emplace(init, lasts, pieces);
}

void GrowingFile::look() {
  if (!cut_) return;
  cut_->look(bytes_);
  if (ended_) cut_->end(bytes_.size());
}

}  // namespace tributary
