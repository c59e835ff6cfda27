#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "demux/segment_layout.hh"
#include "download/film/film_file.hh"
#include "download/film/segment_queue.hh"
#include "sink/segment_sink.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A track that goes into a film.
struct FilmTrack {
  std::size_t index = 0;                // in the presentation
  std::string name;                     // for errors
  bool picture = false, sound = false;  // which of them is wanted; a track may hold both
  FilmTime early{};                     // by so much its times are ahead of the title's
  TrackLabel label{};                   // of the sound
};

/// Makes one film of the segments of a picture and a sound: the same packets in another container, without encoding.
/// Segments must come in order. A thread of its own reads and writes them as they come, and take() waits where the disk
/// is slower than the links: the segments that wait have at most 64 MB.
///
/// The first picture is the film's zero, where players of the manifest begin. Where an init segment comes again, or the
/// times of a transport stream begin anew, those behind it go on where those before it end.
class FilmWriter : public SegmentSink {
 public:
  /// The picture comes first in `tracks`.
  FilmWriter(FilmFile::Place place, std::vector<FilmTrack> tracks, std::string title = "");
  /// Stops, where it has not ended.
  ~FilmWriter() override;
  FilmWriter(const FilmWriter&) = delete;  // the thread has its address

  /// Throws FilmError for a segment that is damaged, and what the thread has thrown: FilmError, WriteError.
  void take(SegmentIndex segment, std::vector<MediaPart> parts) override;
  /// No segment will come.
  void end() { queue_.end(); }
  /// Waits for the end of the file, `at_most` for this time. False if it is not there yet. Throws as take() does.
  bool wait(Duration at_most);

 private:
  void run();
  void rethrow();
  void take_part(SegmentIndex segment, MediaPart part, std::size_t number);

  FilmFile::Place place_;
  std::vector<FilmTrack> tracks_;
  std::string title_;
  /// Of one track; decides whether its next segment begins a stretch.
  struct Known {
    std::optional<SegmentLayout> layout;    // once the first one is there
    std::optional<std::int64_t> last_time;  // of a transport stream
  };
  std::vector<Known> known_;
  SegmentQueue queue_;
  std::mutex mutex_;
  std::condition_variable done_now_;
  bool done_ = false;
  std::exception_ptr failed_;
  std::thread thread_;  // begins last
};

}  // namespace tributary
