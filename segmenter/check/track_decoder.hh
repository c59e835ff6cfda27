#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "media/cmaf_reader.hh"
#include "presentation/presentation.hh"
#include "segmenter/check/findings.hh"
#include "segmenter/libav/libav_handles.hh"

namespace tributary::segmenter {

/// Decodes one track of a presentation, segment by segment. What cannot be read or decoded becomes a finding; decoding goes on
/// behind it.
class TrackDecoder {
 public:
  /// All must live longer.
  TrackDecoder(const std::filesystem::path& directory, const Track& track, Findings& findings);

  /// Whether the init segment says how to decode it.
  bool is_open() const { return decoder_ != nullptr; }
  /// What the init segment says beside that: how the picture is to be turned. It must be open.
  const AVStream& stream() const { return *init_->streams[0]; }
  const AVCodecContext& decoder() const { return *decoder_; }
  AVRational time_base() const { return {1, static_cast<int>(track_.timescale)}; }
  /// The next frame, borrowed until the next call; its pts counts ticks from the track's start. Null at the end.
  AVFrame* next();
  /// After the end: findings for segments of which not every frame came out.
  void check_complete();

 private:
  struct Segment {
    std::uint64_t begin = 0;                // ticks from the track's start
    std::uint64_t frames = 0, decoded = 0;  // frames in it, and those that came out
    bool damaged = false;                   // a finding says so
  };

  void open();
  /// Reads the next segment; false when there is none.
  bool read_segment();
  /// False when nothing follows.
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
  std::string content_;               // of the last segment
  std::vector<MediaSample> samples_;  // of it
  std::size_t next_sample_ = 0;
  bool ended_ = false;
  FrameHandle frame_ = make_frame();
};

}  // namespace tributary::segmenter
