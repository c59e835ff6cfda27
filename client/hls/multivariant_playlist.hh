#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hls/encryption_key.hh"
#include "hls/lines/playlist_start.hh"
#include "hls/lines/playlist_values.hh"
#include "hls/lines/playlist_variables.hh"
#include "units/data_rate.hh"

namespace tributary::hls {

/// One way to play the title (EXT-X-STREAM-INF, EXT-X-I-FRAME-STREAM-INF, EXT-X-IMAGE-STREAM-INF). Texts are empty
/// where the playlist states none.
struct Variant {
  std::string uri;     // of its media playlist, as written
  DataRate bandwidth;  // peak, sound and text included; some packagers write 0
  std::optional<DataRate> average_bandwidth;
  std::string codecs, supplemental_codecs;  // RFC 6381, separated by commas
  std::optional<Extent> resolution;
  std::optional<double> frame_rate;
  std::string audio, video, subtitles, closed_captions;  // groups of renditions
  bool no_closed_captions = false;                       // CLOSED-CAPTIONS=NONE
  std::string hdcp_level, video_range, allowed_cpc;
  std::string pathway_id, stable_id, name;
  std::optional<double> score;

  bool operator==(const Variant&) const = default;
};

enum class RenditionKind { kAudio, kVideo, kSubtitles, kClosedCaptions };

/// A sound, an angle, a text (EXT-X-MEDIA). Variants refer to renditions by `group`.
struct Rendition {
  RenditionKind kind = RenditionKind::kAudio;
  std::optional<std::string> uri;  // nothing: within the media of the variants that refer to it
  std::string group, name, language, assoc_language;
  bool is_default = false, autoselect = false, forced = false;
  std::string instream_id;  // closed captions: "CC1" or "SERVICE3"
  std::string characteristics, channels, stable_id;
  std::optional<double> sample_rate, bit_depth;

  bool operator==(const Rendition&) const = default;
};

/// EXT-X-CONTENT-STEERING.
struct ContentSteering {
  std::string server_uri, pathway_id;

  bool operator==(const ContentSteering&) const = default;
};

/// RFC 8216 section 4.3.4, and its successor. Addresses are as written, variables replaced: relative to the playlist.
struct MultivariantPlaylist {
  std::vector<Variant> variants;          // in the order of the text: the first is what the author would begin with
  std::vector<Variant> i_frame_variants;  // key frames, for fast forward
  std::vector<Variant> image_variants;    // thumbnails
  std::vector<Rendition> renditions;
  std::vector<EncryptionKey> session_keys;
  std::string title;  // EXT-X-SESSION-DATA; empty: not stated
  bool independent_segments = false;
  std::optional<PlaylistStart> start;
  std::optional<ContentSteering> steering;
  VariableValues variables;  // for the media playlists: PlaylistVariables::of_multivariant

  bool operator==(const MultivariantPlaylist&) const = default;
};

}  // namespace tributary::hls
