#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "segmenter/encoders/encoder_dialect.hh"
#include "segmenter/libav/colors.hh"
#include "segmenter/plan/ladder.hh"
#include "segmenter/plan/segment_plan.hh"

namespace tributary::segmenter {

/// All that is needed to open an encoder.
struct EncoderSettings {
  VideoEncoding encoding;
  std::string quality;  // name in errors
  PictureSize size;
  AVRational pixel_aspect{1, 1};
  Colors colors;
  FrameRate rate;
  int group = 0;  // pictures
  int threads = 1;
  EncoderTask task;
};

/// To hand the settings to another process of the same program.
nlohmann::json to_json(const EncoderSettings& settings);
EncoderSettings encoder_settings_from(const nlohmann::json& settings);

}  // namespace tributary::segmenter
