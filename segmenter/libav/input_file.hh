#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "presentation/track_role.hh"
#include "segmenter/libav/libav_handles.hh"
#include "segmenter/libav/picture_rate.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// How long a source is waited for; nothing: for ever.
struct Patience {
  std::optional<Duration> opening;  // until it is there
  std::optional<Duration> reading;  // while it is silent
};

/// What an input is called where it is shown: of an address, without what is secret in it (redacted).
std::string shown_name(const std::string& input);

/// False of standard input, a FIFO and the like: what they give is gone then.
bool can_be_read_again(const std::string& input);

/// A file that libavformat has opened, or "-" for standard input; and what its streams say of themselves.
class InputFile {
 public:
  /// Throws Failure (input) when it cannot be read. The flag stops waiting for input; it must live longer.
  InputFile(const std::string& input, const std::atomic<bool>& interrupted, const Patience& patience = {});

  /// As it is shown.
  const std::string& name() const { return name_; }
  /// As the container states it, if it does.
  std::optional<Duration> duration() const;

  /// Microseconds. Where a container's clock may jump, a longer hole is taken for that. Elsewhere a hole is what the file
  /// says, as long as it is not longer than all of the film.
  std::int64_t longest_hole() const;

  /// Number of the best stream of a type, of the same programme as the related one (-1: any); -1 if there is
  /// none. A cover is not a picture. With `decoder`, only one that can be decoded. The best sound is the one that its
  /// source calls the default, or else the first, and rather none that is beside the title, such as a commentary.
  int best_stream(AVMediaType type, int related, const AVCodec** decoder) const;
  /// From a pipe or a network, say: what is at its end cannot be looked at before.
  bool comes_once() const;
  int streams() const { return static_cast<int>(format_->nb_streams); }
  AVStream& stream(int number) const { return *format_->streams[number]; }
  /// Of a picture stream.
  StatedRate stated_rate(int picture) const;
  /// Of one stream, or, where only the whole is known, what others leave for it.
  std::optional<DataRate> data_rate(int number) const;
  AVRational pixel_aspect(int picture) const;
  /// As the container states it.
  TrackLabel label(int number) const;
  /// What the container says that means nothing, in sentences.
  std::vector<std::string> remarks() const;

  /// What the file has beside these streams: "sound 2 (ac3, en)". Covers are not named, nor subtitles that are text.
  std::vector<std::string> left_out(const std::vector<int>& taken) const;
  /// Whether it has subtitles that are text.
  bool has_text() const;

  /// Other streams are skipped while reading.
  void read_only(const std::vector<int>& numbers);
  /// The next packet of these, in the order of the file; false at the end. Throws Failure (input).
  bool read(AVPacket& packet);

 private:
  /// Tells libav when to stop waiting.
  struct Watch {
    const std::atomic<bool>& interrupted;
    std::optional<Duration> patience;
    std::chrono::steady_clock::time_point since{};

    void begin(std::optional<Duration> new_patience);
    bool ran_out() const;
    static int stop_waiting(void* watch);
  };

  bool is_same_programme(int number, int related) const;
  /// -1 if there is none of which it is known what it is like.
  int best_sound(int related, const AVCodec** decoder) const;
  /// What libav says then is only that it was told to stop.
  void stop_if_told(int result) const;

  std::string name_;
  Patience patience_;
  std::unique_ptr<Watch> watch_;
  InputHandle format_;
};

}  // namespace tributary::segmenter
