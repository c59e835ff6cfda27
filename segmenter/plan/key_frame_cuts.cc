#include "segmenter/plan/key_frame_cuts.hh"

#include <algorithm>
#include <iterator>
#include <utility>

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

/// The first stretch of more than `longest` pictures where the file cannot be cut.
std::optional<DifferingFile> without_cut(std::size_t index, const KeyFrames& file, std::uint64_t longest) {
  for (std::size_t i = 0; i < file.at.size(); ++i) {
    const std::uint64_t to = i + 1 < file.at.size() ? file.at[i + 1] : file.pictures;
    if (to - file.at[i] > longest) return DifferingFile{index, file.at[i], to, true};
  }
  return std::nullopt;
}

/// The first stretch of more than `longest` pictures where the last of the files could be cut, and so could the first,
/// but not together.
std::optional<DifferingFile> apart(std::size_t index, std::span<const KeyFrames> files, std::uint64_t wished,
                                   std::uint64_t longest) {
  std::uint64_t pictures = files.front().pictures;
  for (const KeyFrames& file : files) pictures = std::min(pictures, file.pictures);
  const Pictures cuts = common_cuts(files, wished);
  for (std::size_t i = 0; i < cuts.size() && cuts[i] < pictures; ++i) {
    const std::uint64_t from = cuts[i], to = i + 1 < cuts.size() ? cuts[i + 1] : pictures;
    if (to - from > longest && between(files.front(), from, to) > 0 && between(files.back(), from, to) > 0)
      return DifferingFile{index, from, to, false};
  }
  return std::nullopt;
}

/// Without a reference if that file cannot be cut.
Agreement agreement_with(std::size_t reference, std::span<const KeyFrames> files, std::uint64_t wished,
                         LongestStretches longest) {
  Agreement found;
  if (without_cut(reference, files[reference], longest.alone)) return found;
  found.reference = reference;
  std::vector<KeyFrames> together{files[reference]};
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i == reference) continue;
    std::optional<DifferingFile> differs = without_cut(i, files[i], longest.alone);
    if (!differs) {
      together.push_back(files[i]);
      differs = apart(i, together, wished, longest.together);
      if (differs) together.pop_back();
    }
    if (differs) found.differing.push_back(*differs);
  }
  found.cuts = common_cuts(together, wished);
  return found;
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

Agreement agreement(std::span<const KeyFrames> files, std::uint64_t wished, LongestStretches longest) {
  Agreement best;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Agreement found = agreement_with(i, files, wished, longest);
    if (found.reference && (!best.reference || found.differing.size() < best.differing.size())) best = std::move(found);
    if (!best.reference) best.differing.push_back(*without_cut(i, files[i], longest.alone));
  }
  return best;
}

}  // namespace tributary::segmenter
