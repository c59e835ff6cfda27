#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/action.hh"
#include "presentation/segment_limits.hh"
#include "presentation/segments/segment_table.hh"
#include "worlds/pieces/asked_piece.hh"

namespace tributary {

/// Knows which files the session's requests mean. A world tells it the actions in order and asks it about requests.
class RequestedParts {
 public:
  explicit RequestedParts(const SegmentTable& table) : table_{table} {}

  struct Target {
    std::string uri;                    // relative to the index
    ByteRange range;                    // within the file
    std::optional<DataSize> file_size;  // known if the part is a whole file
    DataSize largest;                   // that the file may be, if the size of the part is not known
    std::optional<AskedPiece> piece;    // of a file that grows
  };

  void start(const action::StartSegment& action) {
    std::vector<SegmentPart>& parts = started_[action.segment];
    if (action.init_parts > 0) parts = table_.init_parts(action.segment, action.quality);
    for (SegmentPart& part : table_.parts(action.segment, action.quality)) parts.push_back(std::move(part));
  }
  /// The segment is delivered and will not be asked about again.
  void forget(SegmentIndex segment) { started_.erase(segment); }

  const std::vector<SegmentPart>& parts(SegmentIndex segment) const { return started_.at(segment); }
  Target target(const action::SendRequest& action) const {
    const SegmentPart& part = parts(action.segment)[action.part];
    const Resource& resource = part.resource;
    Target target{resource.uri,
                  {resource.range.begin + action.range.begin, resource.range.begin + action.range.end},
                  resource.whole_file && !resource.estimated ? std::optional{resource.range.size()} : std::nullopt,
                  resource.range.begin + largest_of(resource.range.size()),
                  {}};
    if (resource.piece)
      target.piece =
          AskedPiece{*resource.piece, part.track, table_.presentation().tracks[part.track].duration(part.segment)};
    return target;
  }

 private:
  const SegmentTable& table_;
  std::map<SegmentIndex, std::vector<SegmentPart>> started_;
};

}  // namespace tributary
