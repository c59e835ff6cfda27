#include "proxy/rewriting/media_file.hh"

namespace tributary::proxy {

FileList::FileList(std::vector<MediaFile> files) : files_{std::move(files)} {
  places_.reserve(files_.size());
  for (std::size_t i = 0; i < files_.size(); ++i) places_.emplace(files_[i].url, i);
}

std::optional<std::size_t> FileList::find(std::string_view url, const std::optional<ByteRange>& range) const {
  std::optional<std::size_t> found;
  const auto [begin, end] = places_.equal_range(std::string{url});
  for (auto at = begin; at != end; ++at) {
    const std::optional<ByteRange>& listed = files_[at->second].range;
    if (listed && (!range || !listed->contains(*range))) continue;
    if (listed == range) return at->second;
    found = at->second;
  }
  return found;
}

}  // namespace tributary::proxy
