#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "presentation/presentation.hh"

namespace tributary {

/// What a title does not have. The text names what it has.
class NotInTitle : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The track of this kind that a user means: by its language, its name or its id. Nothing if there is none.
///
/// Languages are looked up by RFC 4647 section 3.4, whatever code of ISO 639 states them: "de-AT" finds "de", too. A
/// general wish also finds what is more exact (section 3.3.1): "deu" finds "de-AT". The nearest language goes first,
/// and of equals the first track. Main tracks go before those for some viewers, and these before commentaries,
/// descriptions and forced subtitles. All of these come in only if no track has `wanted` as its name or id.
std::optional<std::size_t> find_track(const Presentation& presentation, TrackKind kind, const std::string& wanted);

/// Another sound of the same language and coding; nothing if there is none. `not_these`: those that are no choice.
std::optional<std::size_t> sound_like(const Presentation& presentation, std::size_t sound,
                                      std::span<const std::size_t> not_these);

/// The sound that a user means, as find_track() finds it. Throws NotInTitle.
std::size_t sound_of(const Presentation& presentation, const std::string& wanted);

}  // namespace tributary
