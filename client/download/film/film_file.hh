#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "demux/libav.hh"
#include "presentation/track_role.hh"

namespace tributary {

using FilmTime = std::chrono::microseconds;

/// The file that packets of picture and sound are put into, by libavformat. Throws WriteError
/// (download/files/destination.hh) where it cannot be written, and FilmError where its container cannot hold what it is
/// given.
class FilmFile {
 public:
  struct Place {
    int descriptor = -1;    // of an empty file, open for writing; it stays open
    std::string name;       // for errors
    std::string container;  // a suffix: "mp4", "mkv", "webm", "mov"
  };

  /// `stop`: asked now and then while the file is written; once it says true, everything ends with WriteError.
  FilmFile(Place place, std::function<bool()> stop);
  FilmFile(const FilmFile&) = delete;  // libavformat has its address

  /// To be called before begin(): what players call the film.
  void set_title(const std::string& title);
  /// All streams come before begin(). The language and the name count where the stream itself states none; they may be
  /// empty.
  void add_stream(const AVStream& like, const TrackLabel& label);
  void begin();
  /// Whether packets of this stream can follow those of stream `number`: another section of the same encoding.
  bool can_follow(std::size_t number, const AVStream& stream) const;
  /// Takes the packet, which is empty then. Its times are in `time_base`, and `shift` is added to them. Times that do
  /// not rise are moved to where they do.
  void write(std::size_t number, AVPacket& packet, AVRational time_base, FilmTime shift);
  /// Where the packets that were written to the stream end.
  FilmTime end_of(std::size_t number) const { return streams_.at(number).end; }
  /// Writes what belongs behind the packets; in MP4, moves it in front of them, so that playing can begin at once.
  void finish();

 private:
  struct Stream {
    /// As it was added: the muxer makes of sound in MPEG-TS what its container needs.
    AVCodecID codec = AV_CODEC_ID_NONE;
    std::vector<std::uint8_t> decoder_config{};
    std::int64_t last_dts = AV_NOPTS_VALUE;
    FilmTime end{};
  };
  void check_written(int result) const;

  Place place_;
  std::function<bool()> stop_;
  MuxerHandle muxer_;
  std::vector<Stream> streams_;
};

/// Whether a film can be written under a name with this suffix, "mp4".
bool is_film_suffix(const std::string& suffix);

}  // namespace tributary
