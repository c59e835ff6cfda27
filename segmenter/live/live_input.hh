#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {

/// Whether it is the network that brings it, when its sender likes.
bool is_sender(const std::string& input);

/// A source as it is broadcast: a file, standard input or a generated picture no faster than it plays, anything else as
/// fast as it comes; a file again and again if wanted, its timeline going on. It may go away and come back: then its timeline
/// begins anew. Pictures and sound may have another form then, but not other time bases.
class LiveInput {
 public:
  /// Only a file can be repeated. Throws Failure (input). The flag ends it; it must live longer. Its clock starts when it
  /// is made.
  LiveInput(std::string input, bool repeat, SoundChoice sounds, int fastest, const std::atomic<bool>& stop);

  /// As at the beginning; its rate is at most `fastest`.
  const PictureFormat& picture() const { return picture_; }
  const PictureRate& picture_rate() const { return rate_; }
  /// As at the beginning; of a sender that has none, what its sound is to become when it has. Null: there will be none.
  const SoundFormat* sound() const { return sound_ ? &*sound_ : nullptr; }
  std::vector<std::string> remarks() const { return decoder_ ? decoder_->remarks() : std::vector<std::string>{}; }
  bool has_sound_now() const { return decoder_ && !decoder_->sounds().empty(); }
  /// Its times count from when the source was opened last.
  SourceDamage damage() const;

  /// Whether it comes at its own pace, with what has been waiting there first; anything else is read when it is due.
  bool comes_by_itself() const { return comes_by_itself_; }
  /// How long after it was due the last picture was read; nothing is known of those that come by themselves.
  Duration late() const { return late_; }

  /// Waits until a picture is due. Nothing when told to stop, at the end, or when the source has gone away.
  std::optional<Decoded> next();

  /// Why nothing comes, although the source has not ended by itself; empty otherwise.
  const std::string& lost() const { return lost_; }
  /// Waits for what was lost, so long. False if it has not come back, or when told to stop.
  bool returns_within(Duration patience);

 private:
  void open(const Patience& patience);
  std::optional<Decoded> next_decoded();
  void lose(std::string why);
  void begin_again();
  /// What was played is not played again.
  bool was_played(const Decoded& decoded) const;
  void wait_for(const AVFrame& picture);
  void sleep(Duration duration) const;

  std::string input_;
  bool repeat_;
  SoundChoice sounds_;
  bool comes_by_itself_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<InputDecoder> decoder_;  // null when the source has gone away
  PictureFormat picture_;
  PictureRate rate_;
  std::optional<SoundFormat> sound_;
  std::chrono::steady_clock::time_point start_;
  std::int64_t zero_ = 0, end_ = 0;  // of the current round, in the time base of the picture
  std::int64_t played_ = 0;          // of a file that failed
  PictureStart go_on_at_;            // likewise
  SourceDamage damage_;              // in earlier rounds
  Duration late_{};
  std::string lost_;
};

}  // namespace tributary::segmenter
