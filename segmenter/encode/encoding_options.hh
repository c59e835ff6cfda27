#pragma once

#include <optional>
#include <string>
#include <vector>

#include "segmenter/encoders/video_encoding.hh"
#include "segmenter/libav/picture_rate.hh"
#include "segmenter/plan/ladder.hh"
#include "segmenter/publish/publication.hh"
#include "segmenter/sound/audio_encoder.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// What a source is encoded to, whether it is a film or plays on.
struct EncodingOptions {
  std::optional<std::string> title;  // nothing: that of the source
  std::vector<Quality> ladder;       // empty: chosen by the source
  Duration segment = std::chrono::seconds{2};
  int fastest = kUsualFastest;  // pictures a second
  VideoEncoding video;
  std::optional<SoundEncoding> audio;  // nothing: no sound
  TrackLayout layout;
};

}  // namespace tributary::segmenter
