#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dash/addressing.hh"
#include "dash/base_url.hh"
#include "dash/url_query.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

/// What an MPD states (ISO/IEC 23009-1), after inheritance: elements of an outer level are seen where they apply.
/// Addresses are kept as written. Nothing: not stated.
namespace tributary::dash {

/// An element that says something by a scheme: Role, Accessibility, UTCTiming, a property.
struct Descriptor {
  std::string scheme, value;

  bool operator==(const Descriptor&) const = default;
};

/// A way in which media are encrypted, or a system that has the keys (clause 5.8.4.1).
struct Protection {
  std::string scheme;  // in lower case
  std::string value;   // of the generic scheme: "cenc", "cbcs"

  bool operator==(const Protection&) const = default;
};

enum class MediaKind { kVideo, kAudio, kText, kImage, kOther };

struct FrameRate {
  int numerator = 0, denominator = 1;

  bool operator==(const FrameRate&) const = default;
};

/// Each picture of a thumbnail set is this many small ones.
struct Tiles {
  int columns = 1, rows = 1;

  bool operator==(const Tiles&) const = default;
};

struct Representation {
  std::string place;  // for messages: "line 14, Period[0]/AdaptationSet[1]/Representation[0]"
  std::string id;
  std::int64_t bandwidth = 0;  // bit/s; 0: not stated
  std::string mime_type, codecs;
  std::optional<int> width, height, audio_sampling_rate, channels;
  std::optional<FrameRate> frame_rate;
  std::optional<Tiles> tiles;  // of thumbnails
  std::vector<Protection> protection;
  std::vector<Descriptor> essential_properties, supplemental_properties;  // those of the set included
  BaseUrls base_urls;                                                     // of this level
  std::vector<UrlQuery> url_queries;                                      // those of the set included; see with_queries
  /// By how much segments are available before they are complete; BaseURLs of all levels included.
  Duration availability_offset{};
  bool availability_complete = true;  // false: a segment is available while it grows
  std::int64_t pieces = 1;            // of each segment, in equal times: they are listed while it grows
  Addressing addressing;
};

/// The parts of each segment have files of their own: a segment sequence (clause 5.3.9.6.4).
inline bool names_parts(const Representation& representation) {
  const auto* const addressing = std::get_if<TemplateAddressing>(&representation.addressing);
  return addressing != nullptr && addressing->media->names_parts();
}

/// When media of this time were captured or encoded (ProducerReferenceTime, clause 5.12).
struct ProducerTime {
  UtcTime wall_clock;
  std::int64_t presentation_time = 0;  // ticks of the segments, on the timeline of the media

  bool operator==(const ProducerTime&) const = default;
};

struct AdaptationSet {
  std::string place;
  std::string id;
  MediaKind kind = MediaKind::kOther;
  std::string lang, label;
  std::vector<Descriptor> roles, accessibility;
  bool trick_mode = false;  // pictures for fast motion, not for playout
  /// Where a segment is a sequence of parts, a player can begin with any part (SegmentSequenceProperties).
  bool parts_begin_anew = false;
  std::optional<ProducerTime> producer_time;
  BaseUrls base_urls;
  std::vector<Representation> representations;  // one or more
};

struct Period {
  std::string place;
  std::string id;
  std::optional<Duration> start;     // on the timeline of the MPD; nothing: available early, not yet to be played
  std::optional<Duration> duration;  // nothing: not known yet
  BaseUrls base_urls;
  std::vector<AdaptationSet> sets;
};

struct Mpd {
  bool dynamic = false;
  std::string title;  // of ProgramInformation; empty: not stated
  std::optional<UtcTime> availability_start, availability_end, publish_time;
  std::optional<Duration> minimum_update_period, time_shift_buffer_depth, suggested_presentation_delay,
      presentation_duration, min_buffer_time;
  std::optional<Duration> target_latency;  // of the first ServiceDescription that states one (annex K)
  std::vector<std::string> locations, patch_locations;
  std::vector<Descriptor> utc_timings;
  BaseUrls base_urls;
  std::vector<Period> periods;        // one or more
  std::vector<std::string> left_out;  // elements that are not played: their places, and why
};

}  // namespace tributary::dash
