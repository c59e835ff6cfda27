#include "segmenter/even_choice.hh"

#include <algorithm>

namespace tributary::segmenter {
namespace {

// With 25 pictures a second: from all to half of them within half a second, and back within three.
constexpr double kLess = 0.95, kMore = 1.01;
constexpr double kSmallestShare = 0.01;

}  // namespace

bool EvenChoice::keep(std::uint64_t picture, std::size_t waiting) {
  if (picture < first_pictures_) return true;
  if (2 * waiting > room_) {
    share_ = std::max(kLess * share_, kSmallestShare);
  } else if (8 * waiting < room_) {
    share_ = std::min(kMore * share_, 1.0);
  }
  if (waiting >= room_) return false;
  owed_ += share_;
  if (owed_ < 1) return false;
  owed_ -= 1;
  return true;
}

}  // namespace tributary::segmenter
