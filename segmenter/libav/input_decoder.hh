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
#include "segmenter/libav/sender_packets.hh"
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
  // Colours in which to encode. Only RGB and high dynamic range are converted; the latter has its transfer
  // characteristic here.
  AVColorTransferCharacteristic high_dynamic_range = AVCOL_TRC_UNSPECIFIED;
  Colors colors;
  StatedRate stated_rate;
  FrameRate rate;          // constant, in which to encode
  AVRational time_base{};  // of the timestamps of decoded pictures
  AVCodecID codec = AV_CODEC_ID_NONE;
  std::optional<DataRate> data_rate;  // of the stream; nothing: unknown
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
/// Who decides when the next packet is there: whoever reads, or the source.
enum class Pace { kOfReader, kOfSource };

/// A keyframe, at which decoding can begin.
struct PictureStart {
  std::uint64_t packet = 0;  // its number among the pictures' packets, in the order of the file
  std::int64_t time = 0;     // time of presentation, counted as for decoded pictures
};

/// All places where decoding can begin, in the order of the file, found without decoding.
struct PictureStarts {
  std::vector<PictureStart> starts;
  std::vector<std::int64_t> times;  // of all pictures, in the order of presentation; empty if one is unknown
  std::int64_t end = 0;             // end of the last picture
  bool exact = true;                // decoded pictures are the same from every start

  /// The last start that is not after the time; nothing if decoding must begin with the file.
  std::optional<PictureStart> before(std::int64_t time) const;
};

/// Pictures decoded from that start would differ from those decoded from the beginning.
class NoStartThere : public std::exception {};

struct Decoded {
  enum class Kind { kPicture, kSound };
  Kind kind;
  std::size_t sound;  // index into sounds()
  AVFrame* frame;     // borrowed until the next call; its pts counts from the first picture
};

/// Opens a file (or "-" for standard input) and decodes its best picture and, if wanted, its best sound or all sounds.
/// Leaves out damaged packets, and counts them and the damage that decoders conceal.
class InputDecoder {
 public:
  /// Throws Failure (input) if there is no picture. The flag stops waiting for input, and must outlive the decoder.
  /// `picture_threads`: threads to decode pictures; 0: one for each core.
  InputDecoder(const std::string& input, SoundChoice sounds, const std::atomic<bool>& interrupted,
               int picture_threads = 0, const Patience& patience = {}, Pace pace = Pace::kOfReader);

  const PictureFormat& picture() const { return picture_; }
  /// Sets the rate at which to encode, in place of the rate by the container.
  void encode_at(FrameRate rate) { picture_.rate = rate; }
  /// The best is the first.
  const std::vector<SoundFormat>& sounds() const { return sounds_; }
  /// As the container states it; nothing: it does not.
  std::optional<Duration> duration() const { return file_.duration(); }
  std::string title() const { return file_.title(); }
  std::vector<Chapter> chapters() const;
  /// Statements of the container that make no sense, as sentences.
  std::vector<std::string> remarks() const { return file_.remarks(); }
  /// Streams of the file that are not decoded, except for subtitles that are text: "sound 2 (aac, en)".
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// Reads the rest of the file.
  PictureStarts find_starts();
  /// To be called before the first next(). Earlier pictures are not decoded, but sound is. next() throws NoStartThere
  /// if the picture at the start needs others.
  void start_at(const PictureStart& start) { start_ = start; }
  /// Like start_at(), but also leaves out sound that comes earlier in the file.
  void go_on_at(const PictureStart& start) {
    start_ = start;
    sound_from_ = start.packet;
  }
  /// The last keyframe that was read.
  const PictureStart& last_start() const { return last_start_; }
  /// To be called before the first next(). Leaves out all sound.
  void leave_out_sound() { without_sound_ = true; }

  /// The next frame in the order of the file; nothing at the end.
  std::optional<Decoded> next();

  SourceDamage damage() const;

  /// When the first picture came, of a source at its own pace. Nothing for others.
  std::optional<std::chrono::steady_clock::time_point> first_came() const;

 private:
  struct Stream {
    int index = -1;
    std::unique_ptr<std::atomic<std::uint64_t>> complaints;  // of the decoder, since its last packet
    CodecHandle decoder;
    std::int64_t zero = 0;  // timestamp of the first picture, in the stream's time base
    Duration sent{};        // time of presentation of the last packet
    bool ended = false;
  };

  Stream open_stream(AVMediaType type);
  Stream open_decoder(int index, const AVCodec& codec);
  static int threads_in_time(const AVStream& stream);
  void open_sounds(SoundChoice choice);
  void read_picture_format();
  void read_colors(const AVCodecParameters& codec);
  SoundFormat read_sound_format(Stream& stream);
  /// A frame that the decoder has ready, with its timestamp from the zero of the timeline.
  AVFrame* receive(Stream& stream);
  void begin_in_time();
  /// Reads packet_, with timestamps that do not jump.
  bool read_packet();
  void make_continuous();
  void check_start(const AVFrame& frame);
  bool is_wanted(const AVPacket& packet);
  /// Feeds one packet, or the end of the file. False if every stream has ended.
  bool feed();
  void send(Stream& stream, const AVPacket* packet);
  AVStream& av_stream(const Stream& stream) const { return file_.stream(stream.index); }

  InputFile file_;
  const int picture_threads_;
  const Pace pace_;
  Stream picture_stream_;
  std::vector<Stream> sound_streams_;
  PictureFormat picture_;
  std::vector<SoundFormat> sounds_;
  std::vector<std::string> left_out_;
  std::optional<ContinuousTimeline> timeline_;
  std::optional<SenderPackets> sender_;  // of a source at its own pace
  FrameHandle frame_ = make_frame();
  PacketHandle packet_ = make_packet();
  SourceDamage damage_;
  std::uint64_t picture_packets_ = 0;
  PictureStart start_, last_start_;
  std::uint64_t sound_from_ = 0;  // number of the pictures' packet after which sound is wanted
  bool started_ = false;
  bool without_sound_ = false;
};

}  // namespace tributary::segmenter
