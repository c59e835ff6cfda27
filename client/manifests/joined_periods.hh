#pragma once

#include <span>
#include <string>

#include "manifests/manifest.hh"
#include "presentation/presentation.hh"
#include "units/session_clock.hh"

namespace tributary {

/// One period of an MPD as a title of its own.
struct PeriodTitle {
  std::string place;  // for errors
  Duration start{};   // on the timeline of the MPD
  Opened opened;
};

/// The title of all periods, one after another; each becomes a stretch (presentation.hh).
///
/// The qualities are those of the period with most. Another period has for each of them the one with the same name, or
/// that with the nearest bitrate, with the same codec where there is one. Its sound is the one with the same language and
/// roles, or else the same language, or else the first. A period without sound is silent. Throws ManifestError for a
/// period without pictures.
Opened joined(std::span<const PeriodTitle> periods);

}  // namespace tributary
