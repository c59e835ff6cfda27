#include "dash/reading/segment_sequences.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace tributary::dash {
namespace {

bool has_sequences(const AdaptationSet& set) { return std::ranges::any_of(set.representations, names_parts); }

/// Both may have the same media.
bool are_alike(const AdaptationSet& a, const AdaptationSet& b) {
  return a.kind == b.kind && a.trick_mode == b.trick_mode && a.lang == b.lang && a.roles == b.roles;
}

void leave_out_whole_segments(std::vector<AdaptationSet>& sets) {
  std::vector<AdaptationSet> kept;
  for (const AdaptationSet& set : sets) {
    const auto comes_in_parts = [&](const AdaptationSet& other) {
      return has_sequences(other) && are_alike(set, other);
    };
    if (has_sequences(set) || std::ranges::none_of(sets, comes_in_parts)) kept.push_back(set);
  }
  sets = std::move(kept);
}

bool is_picture(const AdaptationSet& set) { return set.kind == MediaKind::kVideo && !set.trick_mode; }

}  // namespace

bool parts_begin_anew(const XmlElement& set) {
  const auto properties = set.child("SegmentSequenceProperties");
  if (!properties) return false;
  const auto sap = hint([&] { return properties->whole("sapType", 0, 6); });
  const auto cadence = hint([&] { return properties->whole("cadence", 0, kMostSegments); });
  return (sap == 1 || sap == 2) && cadence == 1;
}

std::vector<std::string> leave_out_sequences(std::vector<AdaptationSet>& sets, bool by_parts) {
  std::vector<std::string> left_out;
  if (by_parts) {
    leave_out_whole_segments(sets);
    return left_out;
  }
  const bool others =
      std::ranges::any_of(sets, [](const AdaptationSet& set) { return is_picture(set) && !has_sequences(set); });
  if (others) {
    std::erase_if(sets, [&](const AdaptationSet& set) {
      if (!is_picture(set) || !has_sequences(set)) return false;
      left_out.push_back(set.place + ": its segments are sequences, and another set has whole ones");
      return true;
    });
  }
  for (AdaptationSet& set : sets) {
    if (!is_picture(set) || !has_sequences(set) || set.parts_begin_anew) continue;
    const auto least = std::ranges::min_element(set.representations, {}, &Representation::bandwidth);
    std::iter_swap(set.representations.begin(), least);
    for (auto other = set.representations.begin() + 1; other != set.representations.end(); ++other)
      left_out.push_back(other->place + ": its segments are sequences, within which no quality can follow another");
    set.representations.erase(set.representations.begin() + 1, set.representations.end());
  }
  return left_out;
}

}  // namespace tributary::dash
