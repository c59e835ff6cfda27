#include "proxy/rewriting/media_file.hh"

#include <utility>

namespace tributary::proxy {

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

}  // namespace tributary::proxy
