#pragma once

#include <span>
#include <string>
#include <vector>

#include "dash/segments/segment_list.hh"
#include "manifests/manifest_files.hh"
#include "media/segment_index.hh"

namespace tributary {

/// Where the index of a media file is.
struct WantedIndex {
  WantedFile file;   // with the range of the index
  WantedFile media;  // without a range

  /// The index is in a file of its own: its offsets count from the beginning of the media (ISO/IEC 23009-1 clause 5.3.9.2).
  bool is_apart() const { return file.url != media.url; }
};

struct IndexedFile {
  std::uint32_t timescale = 1;
  std::vector<dash::IndexedPart> parts;
  std::string failure{};  // why there is none; empty: it is here
};

/// Fetches `sidx` boxes (ISO/IEC 14496-12 section 8.16.3), those of all files at once, and those that they refer to, on
/// several levels or as a chain, one by one. Returns, for each file, its segments in the order of its index, or why it
/// has none. Throws what is wrong with the first one if none of them has any.
std::vector<IndexedFile> fetch_segment_indexes(std::span<const WantedIndex> wanted, const FetchFiles& fetch);

}  // namespace tributary
