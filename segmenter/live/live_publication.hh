#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
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

/// Makes a live presentation of segments and parts that are written one by one. As soon as all tracks have a segment,
/// replaces playlists, manifests and index, in this order, and removes old files. As soon as all tracks have a part,
/// replaces what lists parts. Segments and parts may come from several threads, and one track may be ahead of another.
///
/// The presentation appears with its first segment.
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
  void part_written(const WrittenPart& part) override;
  /// No segment follows. If there was none, publishes nothing.
  void end();

  /// The number of segments that all tracks have.
  std::uint64_t segments() const;
  /// The stretches in the window: earlier ones, and the present one.
  std::vector<Presentation> stretches() const;

 private:
  enum class Kind { kPart, kSegment };
  /// A file of one track that other tracks may not have yet; of a segment, `independent` says nothing.
  struct Piece {
    Kind kind = Kind::kSegment;
    LivePart content;
  };
  /// The next pieces of all tracks.
  struct Row {
    Kind kind = Kind::kSegment;
    std::vector<LivePart> pieces;
  };

  std::size_t index_of(const std::string& track) const;
  void list_rows();
  bool row_is_complete() const;
  std::optional<Row> take_row();
  void list_segments(const Row& row);
  void list_parts(const Row& row);
  void unlist_parts();
  void unlist_old_parts();
  std::size_t listed() const;
  static void raise_rates(TrackBitrate& rates, const TrackBitrate& others);
  static void drop_oldest(Presentation& presentation);
  void publish();
  void remove_old_files();
  void remove_old_parts();
  std::uint64_t next_number() const;

  const Publication& publication_;
  const LiveBeginning beginning_;
  const LiveWindowOptions options_;
  const UtcTime created_ = utc_now();
  mutable std::mutex mutex_;
  Presentation presentation_;
  std::vector<std::deque<Piece>> waiting_;                        // by track
  std::vector<Presentation> earlier_;                             // each with a segment
  std::map<std::uint64_t, std::vector<std::string>> part_files_;  // by the number of their segment
  bool parts_disagree_ = false;                                   // those of the unfinished segment
  std::uint64_t segments_ = 0;
  std::uint64_t oldest_file_;
};

}  // namespace tributary::segmenter
