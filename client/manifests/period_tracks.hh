#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "presentation/presentation.hh"

namespace tributary {

// Which track of one period goes on as which track of another. Each period is a presentation of its own.

/// What a track is in each of the periods; null where it is silent.
using OverPeriods = std::vector<const Track*>;

/// "avc1" of "avc1.4d401f".
std::string_view codec_family(const Track& track);
std::vector<const Track*> tracks_of(const Presentation& period, TrackKind kind);
/// The tracks among which a session would choose: of one group, if possible with this family of codecs.
std::vector<const Track*> ladder_of(const Presentation& period, std::string_view family);
/// The longest list, the first of those that are as long.
std::vector<const Track*> richest(const std::vector<std::vector<const Track*>>& of_periods);

/// The quality with the same name, or that with the nearest bitrate. `ladder` is not empty.
const Track* picture_for(const Track& wanted, const std::vector<const Track*>& ladder);
/// The sound with the same language and roles, or else the same language, or else the first. Null: the period has none.
const Track* sound_for(const Track& wanted, const Presentation& period);
/// The text with the same language and roles, or else the first of that language. Null: none of them is such a text.
const Track* text_for(const Track& wanted, const std::vector<Track>& tracks);

/// Ticks a second in which the times of all of these are whole, or microseconds.
std::uint32_t common_timescale(const OverPeriods& tracks);
/// Ticks of another timescale, to the nearest. `to` is a billion at the most. Throws ManifestError if they are more than
/// 2^61.
std::int64_t rescaled(std::int64_t ticks, std::uint32_t from, std::uint32_t to);

}  // namespace tributary
