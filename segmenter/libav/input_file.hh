#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "presentation/presentation.hh"
#include "presentation/track_role.hh"
#include "segmenter/failure.hh"
#include "segmenter/libav/libav_handles.hh"
#include "segmenter/libav/picture_rate.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// How long to wait for a source; nothing: for ever.
struct Patience {
  std::optional<Duration> opening;  // until the source is there
  std::optional<Duration> reading;  // while the source is silent
};

/// The name of an input for people: an address without its secrets (redacted).
std::string shown_name(const std::string& input);

bool is_rtsp(const std::string& input);
/// "rtsp://ADDRESS:PORT/NAME?listen": an encoder connects to us.
bool listens_as_server(const std::string& input);

/// False for standard input, a FIFO and the like, which give their data only once.
bool can_be_read_again(const std::string& input);

/// What a sender sent cannot be opened, although somebody came: a port scan, an encoder that broke off. The next sender
/// may do better.
class SenderFailure : public Failure {
 public:
  explicit SenderFailure(const std::string& what) : Failure{ExitCode::kInput, what} {}
};

/// A file that libavformat has opened, or "-" for standard input, with the properties of its streams.
class InputFile {
 public:
  /// Takes the formats that input_formats.hh names. Throws Failure (input) if the input cannot be read; SenderFailure if
  /// it listens, as rtmp://, srt:// with mode=listener, rtsp:// with ?listen, udp:// and rtp:// do, and had begun to. The flag stops waiting for
  /// input, and must outlive the file.
  InputFile(const std::string& input, const std::atomic<bool>& interrupted, const Patience& patience = {});

  /// shown_name() of the input.
  const std::string& name() const { return name_; }
  /// As the container states it; nothing: it does not.
  std::optional<Duration> duration() const;
  /// As the container states it, in one line; empty: it does not.
  std::string title() const;
  /// The chapters of a title that begins at `zero` of the container's time. A chapter that ends before it is left out.
  std::vector<Chapter> chapters(Duration zero) const;

  /// In microseconds. If the container's clock may jump, a longer hole counts as a jump. Otherwise holes are as the
  /// file states them, up to the length of the whole film.
  std::int64_t longest_hole() const;

  /// Number of the best stream of a type, of the same programme as the related one (-1: any); -1 if there is none. A
  /// cover is no picture. With `decoder`, the stream must be decodable. The best sound is the source's default, or else
  /// the first; a commentary and the like come last.
  int best_stream(AVMediaType type, int related, const AVCodec** decoder) const;
  /// The input is a pipe or a network, for example, so that its end cannot be read first.
  bool comes_once() const;
  /// Whether each stream counts time from its own beginning, until the sender says how these lie to each other (RTP).
  bool streams_have_clocks() const;
  const Patience& patience() const { return patience_; }
  int streams() const { return static_cast<int>(format_->nb_streams); }
  AVStream& stream(int number) const { return *format_->streams[number]; }
  /// The rate of a picture stream.
  StatedRate stated_rate(int picture) const;
  /// The rate of one stream; if only that of the whole file is known, the rest that other streams leave.
  std::optional<DataRate> data_rate(int number) const;
  AVRational pixel_aspect(int picture) const;
  /// As the container states it.
  TrackLabel label(int number) const;
  /// Statements of the container that make no sense, as sentences.
  std::vector<std::string> remarks() const;

  /// Other streams of the file, except for covers and subtitles that are text: "sound 2 (ac3, en)".
  std::vector<std::string> left_out(const std::vector<int>& taken) const;
  /// Whether the file has subtitles that are text.
  bool has_text() const;

  /// Makes read() skip other streams.
  void read_only(const std::vector<int>& numbers);
  /// Reads the next packet in the order of the file; false at the end. Throws Failure (input).
  bool read(AVPacket& packet);

 private:
  /// Tells libav when to stop waiting.
  struct Watch {
    const std::atomic<bool>& interrupted;
    std::optional<Duration> patience;
    std::chrono::steady_clock::time_point since{};
    bool has_waited = false;
    std::function<bool()> is_listening{};  // while a server of ours is opened: nobody has connected yet
    std::chrono::steady_clock::time_point listened = since;

    void begin(std::optional<Duration> new_patience);
    bool ran_out() const;
    bool is_mute();
    static int stop_waiting(void* watch);
  };

  bool is_same_programme(int number, int related) const;
  /// -1 if there is no sound with a known format.
  int best_sound(int related, const AVCodec** decoder) const;
  /// If libav was told to stop, throws the reason, because libav's own error tells only that.
  void stop_if_told(int result) const;
  /// Throws the reason if the result of opening is an error.
  void check_opening(int result, bool listens, const char* what) const;

  std::string name_;
  Patience patience_;
  std::unique_ptr<Watch> watch_;
  InputHandle format_;
};

}  // namespace tributary::segmenter
