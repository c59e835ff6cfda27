#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "media/cmaf_reader.hh"
#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"
#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// Decodes one track of a presentation, segment by segment. A place that cannot be read or decoded becomes a finding,
/// and decoding goes on behind it.
class TrackDecoder {
 public:
  /// All arguments must outlive the decoder.
  TrackDecoder(const std::filesystem::path& directory, const Track& track, Findings& findings);

  /// Whether a decoder could be opened with the init segment.
  bool is_open() const { return decoder_ != nullptr; }
  /// The stream of the init segment, which tells how to turn the picture. is_open() must hold.
  const AVStream& stream() const { return *init_->streams[0]; }
  const AVCodecContext& decoder() const { return *decoder_; }
  AVRational time_base() const { return {1, static_cast<int>(track_.timescale)}; }
  /// The next frame, borrowed until the next call; its pts counts ticks from the track's start. Null at the end.
  AVFrame* next();
  /// To be called after the end. Adds findings for segments with frames that did not come out.
  void check_complete();

 private:
  struct Segment {
    std::uint64_t begin = 0;                // ticks from the track's start
    std::uint64_t frames = 0, decoded = 0;  // frames of the segment, and those that came out
    bool damaged = false;                   // the segment has a finding
  };

  void open();
  /// Reads the next segment; false: there is none.
  bool read_segment();
  /// Feeds the decoder; false at the end of the track.
  bool feed();
  void refuse(Segment& segment, const std::string& why);
  Segment& segment_at(std::int64_t time);
  std::string place(const Segment& segment) const;

  const std::filesystem::path& directory_;
  const Track& track_;
  Findings& findings_;
  InitFacts facts_;
  InputHandle init_;
  CodecHandle decoder_;
  std::vector<Segment> segments_;
  std::string content_;               // of the last segment read
  std::vector<MediaSample> samples_;  // of that segment
  std::size_t next_sample_ = 0;
  bool ended_ = false;
  FrameHandle frame_ = make_frame();
};

}  // namespace tributary::segmenter
