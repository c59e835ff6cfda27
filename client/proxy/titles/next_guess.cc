#include "proxy/titles/next_guess.hh"

namespace tributary::proxy {

bool NextGuess::asked(const MediaFile& file, const std::optional<MediaFile>& next) {
  auto& [expected, in_order] = renditions_[file.rendition];
  const bool right = expected && expected->url == file.url && expected->range == file.range;
  in_order = right ? in_order + 1 : 0;
  expected = next;
  return in_order >= kInOrder;
}

}  // namespace tributary::proxy
