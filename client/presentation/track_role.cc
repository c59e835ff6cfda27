#include "presentation/track_role.hh"

#include <algorithm>
#include <array>
#include <utility>

namespace tributary {
namespace {

constexpr std::array<std::pair<TrackRole, std::string_view>, 8> kRoles{
    {{TrackRole::kOriginal, "original"},
     {TrackRole::kDub, "dub"},
     {TrackRole::kCommentary, "commentary"},
     {TrackRole::kDescription, "description"},
     {TrackRole::kIntelligible, "enhanced-audio-intelligibility"},
     {TrackRole::kCaption, "caption"},
     {TrackRole::kForced, "forced-subtitle"},
     {TrackRole::kEasyReader, "easyreader"}}};

}  // namespace

std::string_view to_string(TrackRole role) {
  return std::ranges::find(kRoles, role, &std::pair<TrackRole, std::string_view>::first)->second;
}

std::optional<TrackRole> track_role_from(std::string_view text) {
  const auto* const found = std::ranges::find(kRoles, text, &std::pair<TrackRole, std::string_view>::second);
  return found == kRoles.end() ? std::nullopt : std::optional{found->first};
}

bool TrackLabel::has(TrackRole role) const { return std::ranges::find(roles, role) != roles.end(); }

}  // namespace tributary
