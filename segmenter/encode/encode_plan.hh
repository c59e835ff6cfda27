#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "segmenter/encode/encode_job.hh"
#include "segmenter/libav/input_decoder.hh"

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
  std::optional<PictureRate> rate;      // the same, and how it was chosen, of pictures that are encoded
  double segment_seconds = 0;
  double section_seconds = 0;        // 0: all is one
  std::optional<Duration> duration;  // as the container states it

  /// Unknown where the duration is.
  std::optional<std::uint64_t> segments() const;
  /// At the rates that were asked for.
  std::optional<DataSize> size(const PlannedTrack& track) const;
};

/// The rate of the pictures, and where their decoding can begin, if all of the input was looked at for it.
struct Survey {
  PictureRate rate;
  std::optional<PictureStarts> starts;
};
/// Looks at the times of all pictures of a file, and tells the input at which rate they are encoded. Input that can be
/// read only once is not looked at.
Survey survey(InputDecoder& input, const EncodeOptions& options, const std::atomic<bool>& interrupted);

EncodePlan plan_of(const InputDecoder& input, const EncodeOptions& options, const PictureRate& rate);
/// Of tracks whose segments are to follow, and that are encoded already, or live.
EncodePlan plan_of(const std::vector<Track>& tracks, double segment_seconds, std::optional<Duration> duration);
/// Opens the input, and writes nothing. Throws Failure (input).
EncodePlan plan_encoding(const EncodeOptions& options, const std::atomic<bool>& interrupted);

/// For people, a line for each track.
std::string plan_text(const EncodePlan& plan);
nlohmann::ordered_json plan_event(const EncodePlan& plan);

}  // namespace tributary::segmenter
