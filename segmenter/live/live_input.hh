#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {

/// Whether the input comes over the network, at the pace of its sender.
bool is_sender(const std::string& input);

/// A source that is broadcast. A file, standard input or a generated picture is read no faster than it plays; any other
/// source as fast as it comes. A file can be repeated, with a timeline that goes on.
///
/// A source may go away and come back. Its timeline then begins anew; pictures and sound may have another form, but not
/// other time bases.
class LiveInput {
 public:
  /// Why a sender was of no use; another one is waited for.
  using OnSenderFailure = std::function<void(const std::string& why)>;

  /// Waits for the source, and starts the clock. Only a file can be repeated. Throws Failure (input). The flag ends the
  /// source, and must outlive it.
  LiveInput(std::string input, bool repeat, SoundChoice sounds, int fastest, const std::atomic<bool>& stop,
            const OnSenderFailure& on_sender_failure);

  /// The format at the beginning; its rate is at most `fastest`.
  const PictureFormat& picture() const { return picture_; }
  const PictureRate& picture_rate() const { return rate_; }
  /// As the source stated it at the beginning.
  const std::string& title() const { return title_; }
  /// The format at the beginning. If a sender has no sound yet, the format that its sound will get. Null: there will be
  /// none.
  const SoundFormat* sound() const { return sound_ ? &*sound_ : nullptr; }
  std::vector<std::string> remarks() const { return decoder_ ? decoder_->remarks() : std::vector<std::string>{}; }
  bool has_sound_now() const { return decoder_ && !decoder_->sounds().empty(); }
  /// The times in it count from the last opening of the source.
  SourceDamage damage() const;

  /// Whether the source comes at its own pace, a backlog first. Other sources are read when their pictures are due.
  bool comes_by_itself() const { return comes_by_itself_; }
  /// How late the last picture was read; always zero for a source that comes by itself.
  Duration late() const { return late_; }

  /// When the picture at zero of the timeline came; of a source that does not come by itself, when it is due.
  std::chrono::steady_clock::time_point began() const { return start_; }

  /// Waits until a picture is due. Nothing if told to stop, at the end, or if the source has gone away.
  std::optional<Decoded> next();

  /// The reason why a source that has not ended brings no picture; empty otherwise.
  const std::string& lost() const { return lost_; }
  /// Waits up to `patience` for a lost source. False if it has not come back, or if told to stop.
  bool returns_within(Duration patience);

 private:
  void open(const Patience& patience);
  void open_first(const OnSenderFailure& on_sender_failure);
  std::optional<Decoded> next_decoded();
  void lose(std::string why);
  void begin_again();
  /// Whether a file that failed has played this frame before.
  bool was_played(const Decoded& decoded) const;
  void wait_for(const AVFrame& picture);
  void sleep(Duration duration) const;

  std::string input_;
  bool repeat_;
  SoundChoice sounds_;
  bool comes_by_itself_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<InputDecoder> decoder_;  // null: the source has gone away
  PictureFormat picture_;
  PictureRate rate_;
  std::string title_;
  std::optional<SoundFormat> sound_;
  std::chrono::steady_clock::time_point start_;
  std::int64_t zero_ = 0, end_ = 0;  // of the current round, in the time base of the picture
  std::int64_t played_ = 0;          // end of the played pictures of a file that failed
  PictureStart go_on_at_;            // start for a file that failed
  SourceDamage damage_;              // in earlier rounds
  Duration late_{};
  std::string lost_;
};

}  // namespace tributary::segmenter
