#include "proxy/rewriting/media_file.hh"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tributary::proxy {
namespace {

constexpr Duration kApart = std::chrono::milliseconds{100};  // manifests round times

}  // namespace

FileList::FileList(std::vector<MediaFile> files) : files_{std::move(files)} {
  places_.reserve(files_.size());
  for (std::size_t i = 0; i < files_.size(); ++i) places_.emplace(files_[i].url, i);
}

std::optional<std::size_t> FileList::find(std::string_view url, const std::optional<ByteRange>& range) const {
  std::optional<std::size_t> found;
  const auto rank = [&](std::size_t place) {  // a file may hold an init segment, and be a segment itself
    return std::pair{files_[place].range == range, !files_[place].init};
  };
  const auto [begin, end] = places_.equal_range(std::string{url});
  for (auto at = begin; at != end; ++at) {
    const std::optional<ByteRange>& listed = files_[at->second].range;
    if (listed && (!range || !listed->contains(*range))) continue;
    if (!found || rank(at->second) > rank(*found)) found = at->second;
  }
  return found;
}

const MediaFile* FileList::same_as(const MediaFile& other) const {
  const auto apart = [](Duration a, Duration b) { return a > b ? a - b : b - a; };
  const auto segments = std::ranges::find(files_, false, &MediaFile::init);
  auto found = files_.end();
  if (other.grid.at) {
    found = std::lower_bound(segments, files_.end(), *other.grid.at - kApart, [](const MediaFile& file, Duration at) {
      return file.grid.at.value_or(Duration::min()) < at;
    });
    if (found == files_.end() || !found->grid.at || apart(*found->grid.at, *other.grid.at) > kApart) return nullptr;
  } else {
    found = std::lower_bound(segments, files_.end(), other.grid.number,
                             [](const MediaFile& file, std::uint64_t number) { return file.grid.number < number; });
    if (found == files_.end() || found->grid.at || found->grid.number != other.grid.number) return nullptr;
  }
  return apart(found->duration, other.duration) <= kApart ? &*found : nullptr;
}

}  // namespace tributary::proxy
