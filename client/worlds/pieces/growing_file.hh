#pragma once

#include <optional>
#include <span>
#include <string>

#include "media/chunk_cut.hh"
#include "units/media_bytes.hh"

namespace tributary {

/// A file that comes in one answer while it is made, and its pieces. Pieces are known as soon as the init segment of their
/// track is.
class GrowingFile {
 public:
  explicit GrowingFile(std::string target) : target_{std::move(target)} {}

  const std::string& target() const { return target_; }
  /// The answer goes on with these bytes.
  void add(std::span<const std::byte> bytes);
  /// The answer has ended, and all of the file is here.
  void end() { ended_ = true; }
  bool ended() const { return ended_; }
  /// Pieces last so long. Does nothing if it is told again.
  void cut(const InitFacts& init, Duration lasts, std::uint32_t pieces);
  /// Brings the pieces up to the bytes that are here.
  void look();

  ChunkCut::Bytes piece(std::uint32_t index) const { return cut_ ? cut_->piece(index) : ChunkCut::Bytes{}; }
  std::span<const std::byte> bytes() const { return bytes_; }
  /// The bytes behind this offset did not come before more were made.
  std::size_t paced_from() const { return paced_from_; }
  /// Up to there; those behind came at the pace of the link.
  std::size_t paced_to() const { return paced_to_; }

 private:
  std::string target_;
  MediaBytes bytes_;
  std::optional<ChunkCut> cut_;
  bool ended_ = false;
  std::size_t paced_from_ = 0, paced_to_ = 0;
};

}  // namespace tributary
