#pragma once

#include <map>
#include <optional>

#include "presentation/segments/segment_part.hh"
#include "units/identifiers.hh"

namespace tributary {

/// Knows over which link the file of each track comes that grows (FilePiece): its later pieces come with the same answer.
class GrowingFiles {
 public:
  /// A link is asked for this part.
  void asked(const SegmentPart& part, LinkId link) {
    if (part.resource.piece) last_[part.track] = {part.segment, link};
  }
  /// The link that was asked for the piece before this one. Nothing: it is the first of its file, or no piece.
  std::optional<LinkId> link_of(const SegmentPart& part) const {
    if (!part.resource.piece || part.resource.piece->index == 0) return std::nullopt;
    const auto last = last_.find(part.track);
    if (last == last_.end() || next(last->second.piece) != part.segment) return std::nullopt;
    return last->second.link;
  }

 private:
  struct Asked {
    SegmentIndex piece{};
    LinkId link{};
  };
  std::map<std::size_t, Asked> last_;  // by track
};

}  // namespace tributary
