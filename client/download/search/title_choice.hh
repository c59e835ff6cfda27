#pragma once

#include <string>
#include <vector>

#include "download/film/film_writer.hh"
#include "presentation/segments/segment_table.hh"
#include "presentation/track_choice.hh"

namespace tributary {

inline constexpr const char* kBestQuality = "best";
inline constexpr const char* kLowestQuality = "lowest";

/// The quality that a user means: "best", "lowest", a name in the table, or "720p", the best with at most that height.
/// Throws NotInTitle.
QualityIndex quality_of(const SegmentTable& table, const std::string& wanted);

/// The tracks that become a film, picture first. A picture without a sound beside it may hold the sound itself.
std::vector<FilmTrack> film_tracks(const SegmentTable& table, QualityIndex quality);

/// The bytes of the whole title, as far as sizes are known.
DataSize size_of_title(const SegmentTable& table, QualityIndex quality);

}  // namespace tributary
