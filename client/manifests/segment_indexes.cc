#include "manifests/segment_indexes.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <stdexcept>

namespace tributary {
namespace {

constexpr Duration kIndexInTime = std::chrono::seconds{20};  // of several; a later one is left out
constexpr std::size_t kMostParts = 200'000;
constexpr std::size_t kMostIndexes = 20'000;  // of one file
constexpr DataSize kEnoughForIndex{8'192};    // an index to which another one refers; if not, more is asked for

IndexBox box_of(const FetchedFile& file, DataSize begin) {
  const std::span bytes{reinterpret_cast<const std::byte*>(file.bytes.data()), file.bytes.size()};
  return read_segment_index(bytes, begin);
}

/// The index at the beginning of these bytes of the media, which may hold segments as well.
IndexBox further_box(const WantedFile& media, const ByteRange& range, const FetchFiles& fetch) {
  WantedFile wanted = media;
  for (DataSize size = kEnoughForIndex;; size = 16 * size) {
    const bool whole = size >= range.size();
    wanted.range = ByteRange{range.begin, whole ? range.end : range.begin + size};
    const FetchedFile file = fetch({&wanted, 1}).front();
    try {
      return box_of(file, range.begin);
    } catch (const BoxError&) {
      if (whole) throw;
    }
  }
}

/// Puts references in front of those that are still to be followed.
void follow(std::vector<IndexReference>& still, const IndexBox& box) {
  still.insert(still.end(), box.references.rbegin(), box.references.rend());
}

/// The parts of one index; those of further indexes in their place.
IndexedFile parts_of(const WantedIndex& wanted, IndexBox box, const FetchFiles& fetch) {
  if (wanted.is_apart()) {
    for (IndexReference& reference : box.references)
      reference.range = {reference.range.begin - box.end, reference.range.end - box.end};
  }
  IndexedFile file{box.timescale, {}};
  std::vector<IndexReference> still;  // the next one is the last
  follow(still, box);
  for (std::size_t indexes = 1; !still.empty();) {
    const IndexReference reference = still.back();
    still.pop_back();
    if (!reference.further_index) {
      file.parts.push_back({reference.range, reference.start, reference.duration});
      if (file.parts.size() > kMostParts) throw BoxError{fmt::format("an index of more than {} segments", kMostParts)};
      continue;
    }
    if (++indexes > kMostIndexes) throw BoxError{fmt::format("more than {} indexes of one file", kMostIndexes)};
    const IndexBox inner = further_box(wanted.media, reference.range, fetch);
    if (inner.timescale != file.timescale) throw BoxError{"indexes of segments differ in their timescale"};
    follow(still, inner);
    if (still.size() > kMostParts) throw BoxError{fmt::format("an index of more than {} segments", kMostParts)};
  }
  return file;
}

}  // namespace

std::vector<IndexedFile> fetch_segment_indexes(std::span<const WantedIndex> wanted, const FetchFiles& fetch) {
  std::vector<IndexedFile> files;
  if (wanted.empty()) return files;
  std::vector<WantedFile> indexes;
  for (const WantedIndex& index : wanted) indexes.push_back(index.file);
  const bool may_fail = wanted.size() > 1;
  for (WantedFile& index : indexes) {
    index.may_fail = may_fail;
    if (may_fail) index.at_most = kIndexInTime;
  }
  const std::vector<FetchedFile> fetched = fetch(indexes);
  std::exception_ptr first_fault;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& range = wanted[i].file.range;
    try {
      if (!fetched[i].failure.empty()) throw std::runtime_error{fetched[i].failure};
      files.push_back(parts_of(wanted[i], box_of(fetched[i], range ? range->begin : DataSize{}), fetch));
    } catch (const std::runtime_error& error) {
      if (!first_fault) first_fault = std::current_exception();
      files.push_back({.parts = {}, .failure = error.what()});
    }
  }
  if (first_fault && std::ranges::none_of(files, &std::string::empty, &IndexedFile::failure))
    std::rethrow_exception(first_fault);
  return files;
}

}  // namespace tributary
