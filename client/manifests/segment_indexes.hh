#pragma once

#include <span>
#include <vector>

#include "dash/segments/segment_list.hh"
#include "manifests/manifest_files.hh"
#include "media/segment_index.hh"

namespace tributary {

/// Fetches `sidx` boxes (ISO/IEC 14496-12 section 8.16.3), all of one level at once, and those that they refer to.
/// Returns, for each file, its segments in the order of its index. Throws BoxError and what `fetch` throws.
struct IndexedFile {
  std::uint32_t timescale = 1;
  std::vector<dash::IndexedPart> parts;
};
std::vector<IndexedFile> fetch_segment_indexes(std::span<const WantedFile> wanted, const FetchFiles& fetch);

}  // namespace tributary
