#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "segmenter/encode/encode_job.hh"
#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {

/// The presentation that encoding an input would make, as far as known without encoding.
struct EncodePlan {
  struct PlannedTrack {
    std::string name;
    DataRate rate;
    std::optional<PictureSize> size;  // of pictures
    std::string language;             // of sound, empty if unknown
  };
  std::vector<PlannedTrack> tracks;
  std::optional<FrameRate> frame_rate;  // of pictures
  std::optional<PictureRate> rate;      // `frame_rate` with its reason; nothing if pictures are not encoded
  double segment_seconds = 0;
  double section_seconds = 0;        // 0: all is one section
  std::optional<Duration> duration;  // as the container states it

  /// Nothing if the duration is unknown.
  std::optional<std::uint64_t> segments() const;
  /// The size at the target rate; nothing if the duration is unknown.
  std::optional<DataSize> size(const PlannedTrack& track) const;
};

/// The rate of the pictures, and the places where their decoding can begin, if the whole input was read for that.
struct Survey {
  PictureRate rate;
  std::optional<PictureStarts> starts;
};
/// Reads the times of all pictures of a file, and tells the input at which rate to encode them. Does not read input
/// that can be read only once.
Survey survey(InputDecoder& input, const EncodeOptions& options, const std::atomic<bool>& interrupted);

EncodePlan plan_of(const InputDecoder& input, const EncodeOptions& options, const PictureRate& rate);
/// The plan of tracks without segments: those of a live presentation, or of files that are encoded already.
EncodePlan plan_of(const std::vector<Track>& tracks, double segment_seconds, std::optional<Duration> duration);
/// Opens the input, and writes nothing. Throws Failure (input).
EncodePlan plan_encoding(const EncodeOptions& options, const std::atomic<bool>& interrupted);

/// The plan for people, with a line for each track.
std::string plan_text(const EncodePlan& plan);
nlohmann::ordered_json plan_event(const EncodePlan& plan);

}  // namespace tributary::segmenter
