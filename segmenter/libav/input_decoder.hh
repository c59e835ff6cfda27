#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/libav/colors.hh"
#include "segmenter/libav/continuous_timeline.hh"
#include "segmenter/libav/input_file.hh"
#include "segmenter/libav/libav_handles.hh"
#include "segmenter/libav/source_damage.hh"
#include "segmenter/plan/ladder.hh"
#include "segmenter/plan/segment_plan.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

struct PictureFormat {
  PictureSize stored;     // as decoded
  PictureSize shown;      // in square pixels, upright
  int quarter_turns = 0;  // clockwise, to show it upright
  AVRational pixel_aspect{1, 1};
  AVPixelFormat pixels = AV_PIX_FMT_NONE;
  // Colours in which to encode. Only what is not shown as it is stored has to be converted: RGB, and the high dynamic
  // range of a transfer characteristic that is stated here.
  AVColorTransferCharacteristic high_dynamic_range = AVCOL_TRC_UNSPECIFIED;
  Colors colors;
  StatedRate stated_rate;
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
  TrackLabel label;  // as the source states it
  AVRational time_base{};
};

enum class SoundChoice { kNone, kBest, kAll };

/// Where decoding of pictures can begin: at a keyframe.
struct PictureStart {
  std::uint64_t packet = 0;  // of the picture's packets, in the order of the file
  std::int64_t time = 0;     // when it is shown, counted as decoded pictures are
};

/// All places where decoding can begin, in the order of the file, found without decoding.
struct PictureStarts {
  std::vector<PictureStart> starts;
  std::vector<std::int64_t> times;  // when each picture is shown, in that order; none where one of them is not known
  std::int64_t end = 0;             // when the last picture ends
  bool exact = true;                // pictures are the same from wherever their decoding begins

  /// The last that is at or before the time; nothing when only the beginning of the file will do.
  std::optional<PictureStart> before(std::int64_t time) const;
};

/// What is decoded from there is not what it would be from the beginning on.
class NoStartThere : public std::exception {};

struct Decoded {
  enum class Kind { kPicture, kSound };
  Kind kind;
  std::size_t sound;  // which, of sounds()
  AVFrame* frame;     // borrowed until the next call; its pts counts from the first picture
};

/// Opens a file (or "-" for standard input) and decodes the best picture and, if wanted, the best sound in
/// it or every one. Damaged packets are passed over and counted, and so is the damage that decoders conceal.
class InputDecoder {
 public:
  /// Throws Failure (input) when there is no picture. The flag stops waiting for input; it must live longer.
  /// Pictures are decoded in so many threads; 0: in as many as there are cores.
  InputDecoder(const std::string& input, SoundChoice sounds, const std::atomic<bool>& interrupted,
               int picture_threads = 0, const Patience& patience = {});

  const PictureFormat& picture() const { return picture_; }
  /// In which pictures are encoded, if not at the rate that follows from what the container states.
  void encode_at(FrameRate rate) { picture_.rate = rate; }
  /// The best comes first.
  const std::vector<SoundFormat>& sounds() const { return sounds_; }
  /// As the container states it, if it does.
  std::optional<Duration> duration() const { return file_.duration(); }
  /// What the container says that means nothing, in sentences.
  std::vector<std::string> remarks() const { return file_.remarks(); }
  /// What is in the file and is not decoded: "sound 2 (aac, en)". Subtitles that are text are not named.
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// Reads all that is left.
  PictureStarts find_starts();
  /// Before the first next(): earlier pictures are not decoded, but sound is. Then, next() throws NoStartThere if the
  /// picture does not stand by itself.
  void start_at(const PictureStart& start) { start_ = start; }
  /// The same, but sound that comes before in the file is passed over, too.
  void go_on_at(const PictureStart& start) {
    start_ = start;
    sound_from_ = start.packet;
  }
  /// The last keyframe that was read.
  const PictureStart& last_start() const { return last_start_; }
  /// Before the first next(): sound is passed over.
  void leave_out_sound() { without_sound_ = true; }

  /// In the order of the file; nothing at the end.
  std::optional<Decoded> next();

  SourceDamage damage() const;

 private:
  struct Stream {
    int index = -1;
    std::unique_ptr<std::atomic<std::uint64_t>> complaints;  // of the decoder, since its last packet
    CodecHandle decoder;
    std::int64_t zero = 0;  // timestamp of the first picture, in the stream's time base
    Duration sent{};        // when the last packet is shown
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
  void check_start(const AVFrame& frame);
  bool is_wanted(const AVPacket& packet);
  /// Feeds one packet, or the end of the file. False when every stream has ended.
  bool feed();
  void send(Stream& stream, const AVPacket* packet);
  AVStream& av_stream(const Stream& stream) const { return file_.stream(stream.index); }

  InputFile file_;
  const int picture_threads_;
  Stream picture_stream_;
  std::vector<Stream> sound_streams_;
  PictureFormat picture_;
  std::vector<SoundFormat> sounds_;
  std::vector<std::string> left_out_;
  std::optional<ContinuousTimeline> timeline_;
  FrameHandle frame_ = make_frame();
  PacketHandle packet_ = make_packet();
  SourceDamage damage_;
  std::uint64_t picture_packets_ = 0;
  PictureStart start_, last_start_;
  std::uint64_t sound_from_ = 0;  // the first of the picture's packets after which sound is wanted
  bool started_ = false;
  bool without_sound_ = false;
};

}  // namespace tributary::segmenter
