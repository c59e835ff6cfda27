#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tributary {

/// The role of a sound or text other than that of the title itself.
enum class TrackRole {
  kOriginal,      // in the language in which the title was made
  kDub,           // in another one
  kCommentary,    // people talk about the title
  kDescription,   // a voice tells what is to be seen
  kIntelligible,  // sound whose speech stands out, for those who hear badly
  kCaption,       // text that says what is to be heard, for those who do not hear
  kForced,        // text that everybody needs, such as for a foreign language
  kEasyReader,    // text in simple words
};

/// As index.json and, but for "original", DASH (urn:mpeg:dash:role:2011) call it: "commentary", "forced-subtitle".
std::string_view to_string(TrackRole role);
std::optional<TrackRole> track_role_from(std::string_view text);

/// Properties by which a sound or text is chosen.
struct TrackLabel {
  std::string language;          // RFC 5646, as short as it can be: "de", "pt-BR"; empty if unknown
  std::string name;              // as its source calls it: "Director's commentary"; empty if it does not
  std::vector<TrackRole> roles;  // each once, in the order above

  bool has(TrackRole role) const;
  /// It stands beside the title, not in place of its sound or text, so that no viewer gets it unasked.
  bool is_beside() const { return has(TrackRole::kCommentary) || has(TrackRole::kDescription); }

  bool operator==(const TrackLabel&) const = default;
};

}  // namespace tributary
