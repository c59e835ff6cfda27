#include "segmenter/plan/key_frame_cuts.hh"

#include <algorithm>
#include <iterator>

namespace tributary::segmenter {
namespace {

using Pictures = std::vector<std::uint64_t>;

Pictures common_key_frames(std::span<const KeyFrames> files) {
  Pictures common = files.front().at;
  for (const KeyFrames& file : files.subspan(1)) {
    Pictures both;
    std::ranges::set_intersection(common, file.at, std::back_inserter(both));
    common = std::move(both);
  }
  return common;
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

/// Key frames of a file between two cuts of all.
std::size_t between(const KeyFrames& file, std::uint64_t from, std::uint64_t to) {
  return static_cast<std::size_t>(std::ranges::lower_bound(file.at, to) - std::ranges::upper_bound(file.at, from));
}

}  // namespace

Pictures common_cuts(std::span<const KeyFrames> files, std::uint64_t wished) {
  const Pictures common = common_key_frames(files);
  Pictures cuts{common.front()};
  for (auto next = common.begin() + 1; next != common.end();) {
    // The first that is long enough, unless one behind it comes nearer to the wish.
    const std::uint64_t target = cuts.back() + wished;
    next = std::ranges::lower_bound(next, common.end(), cuts.back() + (wished + 1) / 2);
    if (next == common.end()) break;
    while (next + 1 != common.end() && distance(next[1], target) < distance(*next, target)) ++next;
    cuts.push_back(*next++);
  }
  return cuts;
}

std::vector<ApartFiles> apart(std::span<const KeyFrames> files, std::span<const std::uint64_t> cuts,
                              std::uint64_t longest) {
  std::uint64_t pictures = files.front().pictures;
  for (const KeyFrames& file : files) pictures = std::min(pictures, file.pictures);
  std::vector<ApartFiles> found;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::uint64_t from = cuts[i], to = i + 1 < cuts.size() ? cuts[i + 1] : pictures;
    if (to - from <= longest) continue;
    for (std::size_t k = 1; k < files.size(); ++k) {
      if (between(files[0], from, to) > 0 && between(files[k], from, to) > 0) found.push_back({0, k, from, to});
    }
  }
  return found;
}

}  // namespace tributary::segmenter
