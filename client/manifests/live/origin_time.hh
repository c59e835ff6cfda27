#pragma once

#include <string>

#include "dash/mpd.hh"
#include "manifests/live/clock_offset.hh"
#include "manifests/manifest.hh"

namespace tributary {

struct OriginTime {
  ClockOffset offset;
  bool stated = false;  // by the MPD or a service that it names; else by the dates of answers
};

/// The clock of the origin of a live MPD: the first UTCTiming that answers (ISO/IEC 23009-1 clause 5.8.5.7: direct,
/// http-head, http-xsdate, http-iso), else `moment`. Services that need another protocol (NTP) are passed over.
OriginTime origin_time(const dash::Mpd& mpd, const std::string& url, const FetchFiles& fetch,
                       const ManifestMoment& moment);

}  // namespace tributary
