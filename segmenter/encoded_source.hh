#pragma once

#include <atomic>
#include <deque>
#include <optional>
#include <string>

#include "segmenter/input_file.hh"

namespace tributary::segmenter {

/// Pictures as they were encoded.
struct EncodedPicture {
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
  AVPacket* packet;     // borrowed until the next call
  std::int64_t number;  // of the picture in the order of presentation, or of the sample of sound; below zero: before
                        // the first picture
};

/// Opens a file (or "-" for standard input) whose picture or sound, or both, are to be packed as they are. Time zero
/// is its first picture that can be decoded; without a picture, the first sample of its sound. Start-up samples of
/// the sound's encoder are before that.
class EncodedSource {
 public:
  /// Throws Failure when there is neither (input), or when their codecs cannot be packed (codec). The flag stops
  /// waiting for input; it must live longer.
  EncodedSource(const std::string& input, bool want_sound, const std::atomic<bool>& interrupted);

  const std::string& name() const { return file_.name(); }
  std::optional<Duration> duration() const { return file_.duration(); }
  const std::optional<EncodedPicture>& picture() const { return picture_; }
  const std::optional<EncodedSound>& sound() const { return sound_; }
  /// Passes over the sound from now on.
  void drop_sound();

  /// In the order of the file; nothing at the end.
  std::optional<EncodedPacket> next();

 private:
  void open_picture();
  void open_sound();
  /// Reads until time zero and the headers of the sound are known.
  void find_beginning();
  bool read(AVPacket& packet);
  void unwrap(AVPacket& sound);
  std::int64_t number_of(const AVPacket& packet) const;

  InputFile file_;
  int picture_stream_ = -1, sound_stream_ = -1;
  std::optional<EncodedPicture> picture_;
  std::optional<EncodedSound> sound_;
  PacketFilterHandle adts_filter_;  // null: the sound is without ADTS headers
  std::int64_t zero_us_ = 0;
  std::deque<PacketHandle> read_ahead_;
  PacketHandle packet_ = make_packet();
};

}  // namespace tributary::segmenter
