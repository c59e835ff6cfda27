#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/session_record.hh"

namespace tributary {

/// What the scorer of ITU-T P.1203 (https://github.com/itu-p1203/itu-p1203) reads to rate a session from 1 to 5 in mode 0:
/// bitrate, resolution and frame rate of each segment that was played, and when playout stood still, in media time. The
/// start is a standstill at 0. The standard is for H.264, pictures up to 1920x1080, and one to five minutes. Other codecs
/// are named, and the scorer refuses those that it does not know. Null if the title has no pictures, or nothing was played.
nlohmann::ordered_json p1203_input(const SessionRecord& record);

}  // namespace tributary
