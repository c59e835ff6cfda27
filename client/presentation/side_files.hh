#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "presentation/resource.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The small pictures within a sheet, row by row.
struct Tiles {
  int columns = 1, rows = 1;
  Duration each{};  // how long one of them stands for the title; zero: the sheet's time is divided among all

  bool operator==(const Tiles&) const = default;
};

/// A file of cues or of thumbnails.
struct SideFile {
  Resource resource;
  Duration start{}, duration{};  // as the manifest counts time: zero is that of Track::start
  std::size_t stretch = 0;       // in SideFiles::stretches
  Tiles tiles{};                 // of thumbnails

  Duration end() const { return start + duration; }
  bool operator==(const SideFile&) const = default;
};

/// What files have in common that belong together.
struct SideStretch {
  std::optional<Resource> init;
  std::optional<Duration>
      shift;  // from times within the files to those of `start`; nothing: as the picture is measured

  bool operator==(const SideStretch&) const = default;
};

class SideList;     // manifests/from_hls/side_list.hh
class HlsTimeline;  // manifests/live/hls_timeline.hh

/// Files of a title that a player fetches by itself while it needs them: texts, thumbnails. Sessions do not know them.
struct SideFiles {
  std::string playlist;  // of HLS: its address; it lists the files, and is fetched when they are wanted. Empty: none
  std::map<std::string, std::string, std::less<>> variables;  // for the playlist: EXT-X-DEFINE of the one above it
  std::vector<SideStretch> stretches;
  std::vector<SideFile> files;                  // by their starts
  std::shared_ptr<SideList> grows;              // of a live MPD: lists them in place of `files`, as they come
  std::shared_ptr<const HlsTimeline> timeline;  // of live HLS: by which the playlist, which goes on, counts time

  bool empty() const { return playlist.empty() && files.empty() && !grows; }
  bool is_live() const { return grows || timeline; }
  bool operator==(const SideFiles&) const = default;
};

/// Adds the files of a part of the title, which begins then. The times of the part count from its beginning.
void append(SideFiles& files, const SideFiles& part, Duration begins);

/// Which tile of the sheet shows the title at that time, from 0. `at` is within the file, or nearest to it.
std::size_t tile_at(const SideFile& sheet, Duration at);

}  // namespace tributary
