#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "segmenter/encode_job.hh"
#include "segmenter/input_decoder.hh"

namespace tributary::segmenter {

/// What would be made of an input, as far as that can be known without encoding it.
struct EncodePlan {
  struct PlannedTrack {
    std::string name;
    DataRate rate;
    std::optional<PictureSize> size;  // of pictures
    std::string language;             // of sound, empty if unknown
  };
  std::vector<PlannedTrack> tracks;
  std::optional<FrameRate> frame_rate;  // of pictures
  double segment_seconds = 0;
  double section_seconds = 0;        // 0: all is one
  std::optional<Duration> duration;  // as the container states it

  /// Unknown where the duration is.
  std::optional<std::uint64_t> segments() const;
  /// At the rates that were asked for.
  std::optional<DataSize> size(const PlannedTrack& track) const;
};

EncodePlan plan_of(const InputDecoder& input, const EncodeOptions& options);
/// Of tracks whose segments are to follow, and that are encoded already, or live.
EncodePlan plan_of(const std::vector<Track>& tracks, double segment_seconds, std::optional<Duration> duration);
/// Opens the input, and writes nothing. Throws Failure (input).
EncodePlan plan_encoding(const EncodeOptions& options, const std::atomic<bool>& interrupted);

/// For people, a line for each track.
std::string plan_text(const EncodePlan& plan);
nlohmann::ordered_json plan_event(const EncodePlan& plan);

}  // namespace tributary::segmenter
