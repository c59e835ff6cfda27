#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "download/film/film_file.hh"
#include "download/film/film_writer.hh"
#include "download/film/segment_queue.hh"
#include "download/film/track_reader.hh"

namespace tributary {

/// Puts the packets of all tracks into one file, in the order of their decoding. Decides when each is shown: the tracks
/// have one timeline, the film's. Throws FilmError and WriteError.
class FilmTracks {
 public:
  /// Queue and file must outlive it.
  FilmTracks(SegmentQueue& queue, const std::vector<FilmTrack>& tracks, FilmFile& file);

  /// Everything, from the first segment to the end of the file. False if the queue was stopped.
  bool write_all();

 private:
  /// Where a stretch begins, by its own times.
  struct Placed {
    FilmTime start{}, shift{};
  };
  struct Source {
    const FilmTrack& track;
    TrackReader reader;
    std::size_t first_stream = 0;     // of the film
    std::size_t stretch = 0;          // how many were begun
    AVPacket* packet = nullptr;       // the next one; null at the end of the track
    std::optional<FilmTime> shift{};  // of this stretch, once it is known
    std::int64_t next_dts = 0;        // for a packet that states no time
    std::vector<FilmTime> before;     // where each stream of the stretch before ends

    Source(SegmentQueue& queue, std::size_t number, const FilmTrack& of);
    AVRational time_base() const { return reader.streams()[static_cast<std::size_t>(packet->stream_index)]->time_base; }
    FilmTime time(std::int64_t ticks) const;
    FilmTime film_end(const FilmFile& file) const;
  };

  bool open_all();
  void advance(Source& source);
  static void complete_times(Source& source);
  void place_all();
  FilmTime place_beside(const Source& source) const;
  Source* earliest();
  static bool is_written_already(const Source& source);

  SegmentQueue& queue_;
  FilmFile& file_;
  std::deque<Source> sources_;    // they stay where they are
  std::vector<Placed> pictures_;  // the stretches of the first track
};

}  // namespace tributary
