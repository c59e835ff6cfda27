#include "proxy/titles/next_guess.hh"

namespace tributary::proxy {

bool NextGuess::asked(const MediaFile& file, const std::optional<MediaFile>& next) {
  std::optional<MediaFile>& expected = next_[file.rendition];
  const bool right = expected && expected->url == file.url && expected->range == file.range;
  in_order_ = right ? in_order_ + 1 : 0;
  expected = next;
  return in_order_ >= kInOrder;
}

}  // namespace tributary::proxy
