#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "download/film/film_file.hh"
#include "presentation/segments/segment_table.hh"
#include "sink/segment_sink.hh"
#include "system/file_descriptor.hh"

namespace tributary {

/// Whether --save can write this name: "film.mp4", "film.mkv".
bool is_saved_film(const std::string& path);

/// Makes one film of whatever a session plays: the packets of its qualities one after another, and the sound, without
/// encoding. Each key frame has its parameter sets in band ("avc3", "hev1"), so that the quality may change. Times stay
/// those of the title, and count from the first picture; a segment that was skipped leaves a gap.
///
/// All functions throw FilmError for segments that become no film, and WriteError if the file cannot be written.
class SavedFilm : public SegmentSink {
 public:
  /// Creates the file, in place of one that is there. `table` must outlive it.
  SavedFilm(std::string path, const SegmentTable& table);
  ~SavedFilm() override;
  SavedFilm(const SavedFilm&) = delete;  // the file has its address

  void take(SegmentIndex segment, std::vector<MediaPart> parts) override;
  /// Makes the film playable, as far as it has come. Without a segment, no file is left.
  void close();

 private:
  class Piece;
  struct Output {
    std::size_t number = 0;  // in the film
    AVCodecID codec{};
  };

  void begin(std::vector<Piece>& pieces);
  void check_follows(Piece& piece);
  void place(SegmentIndex segment, std::vector<Piece>& pieces);
  void write(std::vector<Piece>& pieces);
  FilmTime end() const;

  std::string path_;
  const SegmentTable& table_;
  FileDescriptor descriptor_;
  std::optional<FilmFile> file_;
  bool begun_ = false;
  std::map<std::size_t, MediaBytes> inits_;  // of tracks, the last one each
  std::optional<Output> picture_, sound_;
  std::optional<SegmentIndex> stretch_;  // its first segment
  FilmTime shift_{};                     // of the stretch
};

}  // namespace tributary
