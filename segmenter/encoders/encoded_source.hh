#pragma once

#include <atomic>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/libav/input_file.hh"
#include "segmenter/libav/random_access.hh"

namespace tributary::segmenter {

/// Pictures as they were encoded.
struct EncodedPicture {
  const AVStream* stream;  // what else the container says of them: how they are to be turned, say
  const AVCodecParameters* codec;
  FrameRate rate;
  int reordering = 0;  // pictures by which presentation must be later than decoding, as far as the file says
};

/// Sound as it was encoded.
struct EncodedSound {
  const AVCodecParameters* codec;
  int frame_samples = 0;
  TrackLabel label;
};

struct EncodedPacket {
  enum class Kind { kPicture, kSound };
  Kind kind;
  std::size_t sound;    // which, of sounds()
  RandomAccess access;  // of a picture; only one that is kSync is still marked as a keyframe
  AVPacket* packet;     // borrowed until the next call
  std::int64_t number;  // of the picture in the order of presentation, or of the sample of sound; below zero: before
                        // the first picture
};

/// Opens a file (or "-" for standard input) whose picture or sounds, or both, are to be packed as they are. Time zero
/// is its first picture that can be decoded; without a picture, the first sample of its first sound. Start-up samples of
/// the sound's encoder are before that, and pictures that need others before it are passed over.
class EncodedSource {
 public:
  /// Throws Failure when there is neither (input), or when their codecs cannot be packed (codec). The flag stops
  /// waiting for input; it must live longer.
  EncodedSource(const std::string& input, bool want_sound, const std::atomic<bool>& interrupted);

  const std::string& name() const { return file_.name(); }
  std::optional<Duration> duration() const { return file_.duration(); }
  const std::optional<EncodedPicture>& picture() const { return picture_; }
  /// The best comes first.
  std::size_t sounds() const { return sounds_.size(); }
  const EncodedSound& sound(std::size_t index) const { return sounds_[index].format; }
  /// Passes over all sounds from now on.
  void drop_sounds();
  /// What the file has beside that: "sound 2 (ac3, en)". Subtitles that are text are not named.
  const std::vector<std::string>& left_out() const { return left_out_; }
  bool has_text() const { return file_.has_text(); }
  /// From the first picture, as the container states it, to time zero.
  Duration skipped() const;

  /// In the order of the file; nothing at the end.
  std::optional<EncodedPacket> next();

 private:
  struct Sound {
    int stream;
    EncodedSound format;
    PacketFilterHandle adts_filter;  // null: it is without ADTS headers
    bool has_headers;
  };

  void open_picture();
  /// Those that can be packed; throws Failure (codec) when there are sounds and none of them can.
  void open_sounds();
  Sound open_sound(int stream);
  std::vector<int> packed_streams() const;
  /// Reads until time zero and the headers of the sounds are known.
  void find_beginning();
  /// Of a picture; false if decoding cannot begin there.
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
