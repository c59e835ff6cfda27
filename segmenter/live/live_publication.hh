#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "segmenter/live/live_beginning.hh"
#include "segmenter/publish/presentation_publication.hh"
#include "segmenter/publish/track_writer.hh"
#include "system/utc_now.hh"

namespace tributary::segmenter {

struct LiveWindowOptions {
  std::uint32_t segments = 30;  // listed
  std::uint32_t kept = 10;      // segments with files that stay after they have left the list
  ManifestChoice manifests;
};

/// Makes a live presentation of segments that are written one by one. As soon as all tracks have a segment, replaces
/// playlists, manifests and index, in this order, and removes old files. Segments may come from several threads, and
/// one track may be ahead of another.
class LivePublication : public SegmentListener {
 public:
  /// `publication` must outlive the object. Earlier stretches stay in the MPD as long as they are in the window, and
  /// numbers go on from them.
  LivePublication(const Publication& publication, const LiveBeginning& beginning, const LiveWindowOptions& options);

  /// To be called before the first segment, with tracks without segments (TrackWriter::describe). Throws Failure
  /// (usage) if an earlier run had other tracks.
  void set_tracks(std::vector<Track> tracks, double nominal_segment_seconds);
  void set_title(const std::string& title);
  void segment_written(const WrittenSegment& segment) override;
  /// No segment follows. If there was none, publishes nothing.
  void end();

  /// The number of segments that all tracks have.
  std::uint64_t segments() const;
  /// The stretches in the window: earlier ones, and the present one.
  std::vector<Presentation> stretches() const;

 private:
  struct Segment {
    DataSize size;
    std::uint64_t ticks = 0;
  };

  bool row_is_complete() const;
  void list_row();
  std::size_t listed() const;
  static void raise_rates(TrackBitrate& rates, const TrackBitrate& others);
  static void drop_oldest(Presentation& presentation);
  void publish();
  void remove_old_files();

  const Publication& publication_;
  const LiveBeginning beginning_;
  const LiveWindowOptions options_;
  const UtcTime created_ = utc_now();
  mutable std::mutex mutex_;
  Presentation presentation_;
  std::vector<std::deque<Segment>> waiting_;  // by track: segments that other tracks do not have yet
  std::vector<Presentation> earlier_;         // each with a segment
  std::uint64_t segments_ = 0;
  std::uint64_t oldest_file_;
};

}  // namespace tributary::segmenter
