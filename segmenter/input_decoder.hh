#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/continuous_timeline.hh"
#include "segmenter/input_file.hh"
#include "segmenter/ladder.hh"
#include "segmenter/libav_handles.hh"
#include "segmenter/segment_plan.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

struct PictureFormat {
  PictureSize stored;     // as decoded
  PictureSize shown;      // in square pixels, upright
  int quarter_turns = 0;  // clockwise, to show it upright
  AVRational pixel_aspect{1, 1};
  AVPixelFormat pixels = AV_PIX_FMT_NONE;
  bool interlaced = false;  // two fields in each picture
  // Colours in which to encode. Only what is not shown as it is stored has to be converted: RGB, and the high dynamic
  // range of a transfer characteristic that is stated here.
  AVColorTransferCharacteristic high_dynamic_range = AVCOL_TRC_UNSPECIFIED;
  AVColorPrimaries primaries = AVCOL_PRI_UNSPECIFIED;
  AVColorTransferCharacteristic transfer = AVCOL_TRC_UNSPECIFIED;
  AVColorSpace matrix = AVCOL_SPC_UNSPECIFIED;
  FrameRate rate;          // constant, in which to encode
  AVRational time_base{};  // of the timestamps of decoded pictures
  AVCodecID codec = AV_CODEC_ID_NONE;
  std::optional<DataRate> data_rate;  // of the stream, if it is known
};

struct SoundFormat {
  AVSampleFormat samples = AV_SAMPLE_FMT_NONE;
  int sample_rate = 0;
  std::string layout;  // "stereo", "5.1"
  int channels = 0;
  std::string language;  // as the source states it, empty if unknown
  AVRational time_base{};
};

enum class SoundChoice { kNone, kBest, kAll };

struct Decoded {
  enum class Kind { kPicture, kSound };
  Kind kind;
  std::size_t sound;  // which, of sounds()
  AVFrame* frame;     // borrowed until the next call; its pts counts from the first picture
};

/// Opens a file (or "-" for standard input) and decodes the best picture and, if wanted, the best sound in
/// it or every one. Damaged packets are passed over and counted.
class InputDecoder {
 public:
  /// Throws Failure (input) when there is no picture. The flag stops waiting for input; it must live longer.
  InputDecoder(const std::string& input, SoundChoice sounds, const std::atomic<bool>& interrupted);

  const PictureFormat& picture() const { return picture_; }
  /// The best comes first.
  const std::vector<SoundFormat>& sounds() const { return sounds_; }
  /// As the container states it, if it does.
  std::optional<Duration> duration() const { return file_.duration(); }

  /// In the order of the file; nothing at the end.
  std::optional<Decoded> next();

  std::uint64_t damaged_packets() const { return damaged_; }

 private:
  struct Stream {
    int index = -1;
    CodecHandle decoder;
    std::int64_t zero = 0;  // timestamp of the first picture, in the stream's time base
    bool ended = false;
  };

  Stream open_stream(AVMediaType type);
  Stream open_decoder(int index, const AVCodec& codec);
  void open_sounds(SoundChoice choice);
  void read_picture_format();
  void read_colors(const AVCodecParameters& codec);
  SoundFormat read_sound_format(Stream& stream);
  /// A frame that the decoder has ready, with its timestamp from the zero of the timeline.
  AVFrame* receive(Stream& stream);
  /// Takes jumps out of the timestamps of the packet that was read.
  void make_continuous();
  /// Feeds one packet, or the end of the file. False when every stream has ended.
  bool feed();
  void send(Stream& stream, const AVPacket* packet);
  AVStream& av_stream(const Stream& stream) const { return file_.stream(stream.index); }

  InputFile file_;
  Stream picture_stream_;
  std::vector<Stream> sound_streams_;
  PictureFormat picture_;
  std::vector<SoundFormat> sounds_;
  std::optional<ContinuousTimeline> timeline_;
  FrameHandle frame_ = make_frame();
  PacketHandle packet_ = make_packet();
  std::uint64_t damaged_ = 0;
};

}  // namespace tributary::segmenter
