#include "manifests/segment_indexes.hh"

#include <fmt/format.h>

namespace tributary {
namespace {

constexpr std::size_t kMostParts = 200'000;
constexpr int kMostLevels = 4;

IndexBox box_of(const FetchedFile& file, const WantedFile& wanted) {
  const std::span bytes{reinterpret_cast<const std::byte*>(file.bytes.data()), file.bytes.size()};
  return read_segment_index(bytes, wanted.range ? wanted.range->begin : DataSize{});
}

/// The parts of one index; those of further indexes in their place.
void add_parts(IndexedFile& file, const WantedFile& index, const IndexBox& box, const FetchFiles& fetch, int level) {
  for (const IndexReference& reference : box.references) {
    if (!reference.further_index) {
      file.parts.push_back({reference.range, reference.start, reference.duration});
    } else if (level == kMostLevels) {
      throw BoxError{fmt::format("an index of segments refers to indexes on more than {} levels", kMostLevels)};
    } else {
      WantedFile further = index;
      further.range = reference.range;
      const IndexBox inner = box_of(fetch({&further, 1}).front(), further);
      if (inner.timescale != file.timescale) throw BoxError{"indexes of segments differ in their timescale"};
      add_parts(file, further, inner, fetch, level + 1);
    }
    if (file.parts.size() > kMostParts) throw BoxError{fmt::format("an index of more than {} segments", kMostParts)};
  }
}

}  // namespace

std::vector<IndexedFile> fetch_segment_indexes(std::span<const WantedFile> wanted, const FetchFiles& fetch) {
  std::vector<IndexedFile> files;
  if (wanted.empty()) return files;
  const std::vector<FetchedFile> fetched = fetch(wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const IndexBox box = box_of(fetched[i], wanted[i]);
    add_parts(files.emplace_back(IndexedFile{box.timescale, {}}), wanted[i], box, fetch, 1);
  }
  return files;
}

}  // namespace tributary
