#include "presentation/segments/segment_grid.hh"

#include <algorithm>

namespace tributary {

SegmentGrid::SegmentGrid(const Track& picture, std::size_t count) {
  while (starts_.size() < count) append(picture);
}

void SegmentGrid::append(const Track& picture) {
  starts_.push_back(end_);
  end_ += picture.duration(static_cast<SegmentIndex>(starts_.size() - 1));
}

void SegmentGrid::choose_sound(const Track* sound, bool has_own_grid, const Track& picture, bool grows) {
  sound_grid_.reset();
  if (sound != nullptr && has_own_grid) sound_grid_.emplace(*sound, picture, starts_, !grows);
}

void SegmentGrid::extend_sound(const Track& sound, const Track& picture) {
  if (sound_grid_) sound_grid_->extend(sound, picture, starts_, false);
}

SegmentIndex SegmentGrid::segment_at(Duration position) const {
  const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), position);
  return static_cast<SegmentIndex>(after - starts_.begin() - 1);
}

SegmentIndex SegmentGrid::first_for(Duration position) const {
  const SegmentIndex at = segment_at(position);
  return sound_grid_ ? sound_grid_->first_for(at) : at;
}

SoundGrid::Span SegmentGrid::sound_of(SegmentIndex segment, const Track& sound) const {
  if (sound_grid_) return sound_grid_->with(segment);
  const std::size_t i = to_index(segment), all = sound.sizes.size();
  return i < all ? SoundGrid::Span{i, i + 1} : SoundGrid::Span{all, all};
}

}  // namespace tributary
