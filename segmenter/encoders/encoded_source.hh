#pragma once

#include <atomic>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/libav/input_file.hh"
#include "segmenter/libav/random_access.hh"

namespace tributary::segmenter {

/// The format of encoded pictures. Borrowed from the source.
struct EncodedPicture {
  const AVStream* stream;  // further facts of the container, such as the turn of the pictures
  const AVCodecParameters* codec;
  FrameRate rate;
  int reordering = 0;  // pictures by which presentation must be later than decoding, as far as the file states it
};

/// The format of encoded sound. Borrowed from the source.
struct EncodedSound {
  const AVCodecParameters* codec;
  int frame_samples = 0;
  TrackLabel label;
};

struct EncodedPacket {
  enum class Kind { kPicture, kSound };
  Kind kind;
  std::size_t sound;    // index below sounds()
  RandomAccess access;  // of a picture; only a kSync one keeps its mark as a keyframe
  AVPacket* packet;     // borrowed until the next call
  /// Of the picture in the order of presentation, or of the sample of sound. Below zero: before the first picture.
  std::int64_t number;
};

/// Opens a file (or "-" for standard input) to pack its picture, its sounds, or both, without encoding them again. Time
/// zero is the first picture that can be decoded; without a picture, the first sample of the first sound. Start-up
/// samples of the sound's encoder are before time zero. Pictures that need others before time zero are left out.
class EncodedSource {
 public:
  /// Throws Failure (input) if there is neither picture nor sound, (codec) if their codecs cannot be packed. The flag
  /// stops waiting for input, and must outlive the source.
  EncodedSource(const std::string& input, bool want_sound, const std::atomic<bool>& interrupted);

  const std::string& name() const { return file_.name(); }
  std::optional<Duration> duration() const { return file_.duration(); }
  std::string title() const { return file_.title(); }
  std::vector<Chapter> chapters() const { return file_.chapters(std::chrono::microseconds{zero_us_}); }
  const std::optional<EncodedPicture>& picture() const { return picture_; }
  /// The number of sounds; the best is the first.
  std::size_t sounds() const { return sounds_.size(); }
  const EncodedSound& sound(std::size_t index) const { return sounds_[index].format; }
  /// Leaves out all sounds from now on.
  void drop_sounds();
  /// Other streams of the file, except for subtitles that are text: "sound 2 (ac3, en)".
  const std::vector<std::string>& left_out() const { return left_out_; }
  bool has_text() const { return file_.has_text(); }
  /// The time from the first picture, as the container states it, to time zero.
  Duration skipped() const;

  /// The next packet in the order of the file; nothing at the end.
  std::optional<EncodedPacket> next();

 private:
  struct Sound {
    int stream;
    EncodedSound format;
    PacketFilterHandle adts_filter;  // null: the sound has no ADTS headers
    bool has_headers;
  };

  void open_picture();
  /// Opens the sounds that can be packed. Throws Failure (codec) if there are sounds, but none can be packed.
  void open_sounds();
  Sound open_sound(int stream);
  std::vector<int> packed_streams() const;
  /// Reads until time zero and the headers of the sounds are known.
  void find_beginning();
  /// Sets time zero to this picture; false if decoding cannot begin there.
  bool begin_at(const AVPacket& picture);
  bool read(AVPacket& packet);
  void unwrap(AVPacket& packet, Sound& sound);
  /// Null for a packet of the picture.
  Sound* sound_of(const AVPacket& packet);
  std::int64_t number_of(const AVPacket& packet, double per_second) const;

  InputFile file_;
  int picture_stream_ = -1;
  std::optional<EncodedPicture> picture_;
  std::vector<Sound> sounds_;
  std::vector<std::string> left_out_;
  std::int64_t zero_us_ = 0;
  std::deque<PacketHandle> read_ahead_;
  PacketHandle packet_ = make_packet();
};

}  // namespace tributary::segmenter
