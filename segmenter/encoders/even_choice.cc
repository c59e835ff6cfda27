#include "segmenter/encoders/even_choice.hh"

#include <algorithm>

namespace tributary::segmenter {
namespace {

// Proportional and integral control of the encoders' delay, relative to the share: damped alike at all loads.
constexpr double kWantedBehind = 0.3;  // of the room
constexpr double kProportional = 1.2, kIntegral = 0.02;
constexpr double kSmallestShare = 0.01;

}  // namespace

bool EvenChoice::keep(std::uint64_t picture, std::uint64_t behind) {
  if (picture < first_pictures_) return true;
  if (behind >= room_) return false;
  const double spare = kWantedBehind - static_cast<double>(behind) / static_cast<double>(room_);
  share_ = std::clamp(share_ * (1 + kIntegral * spare), kSmallestShare, 1.0);
  owed_ += std::clamp(share_ * (1 + kProportional * spare), kSmallestShare, 1.0);
  if (owed_ < 1) return false;
  owed_ -= 1;
  return true;
}

}  // namespace tributary::segmenter
