#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tributary {

/// What a sound or text is for, where it is not just the sound or the text of the title.
enum class TrackRole {
  kOriginal,      // in the language in which the title was made
  kDub,           // in another one
  kCommentary,    // people talk about the title
  kDescription,   // a voice tells what is to be seen
  kIntelligible,  // sound whose speech stands out, for those who hear badly
  kCaption,       // text that says what is to be heard, for those who do not hear
  kForced,        // text that everybody needs: what is said in a foreign language, say
  kEasyReader,    // text in simple words
};

/// As index.json and, but for "original", DASH (urn:mpeg:dash:role:2011) call it: "commentary", "forced-subtitle".
std::string_view to_string(TrackRole role);
std::optional<TrackRole> track_role_from(std::string_view text);

/// What is said of a sound or text, to choose it by.
struct TrackLabel {
  std::string language;          // RFC 5646, as short as it can be: "de", "pt-BR"; empty if unknown
  std::string name;              // as its source calls it: "Director's commentary"; empty if it does not
  std::vector<TrackRole> roles;  // each once, in the order above

  bool has(TrackRole role) const;
  /// Beside the title and not instead of its sound or text, so that nobody gets it unasked.
  bool is_beside() const { return has(TrackRole::kCommentary) || has(TrackRole::kDescription); }

  bool operator==(const TrackLabel&) const = default;
};

}  // namespace tributary
