#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "download/download_run.hh"
#include "transport/connections/link_rules.hh"

namespace tributary {

/// Where a title goes.
struct TitleTarget {
  std::string path;       // of the film, behind all symbolic links
  std::string container;  // a suffix (film/film_file.hh)
};

/// Fetches the title of the manifest at options.url over all links, in one quality, and puts it into one file, by way
/// of FILE.part, by connections of these rules. An unfinished title is removed. Fills in the report. Returns the exit status.
/// Throws GetError, NoLinkWorked, WriteError, FilmError.
int download_title(const DownloadRun& run, const TitleTarget& target, const transport::LinkRules& rules);

/// The name of the kind of manifest that these first bytes of a file begin, as "an MPD"; null if it is none. 4096 bytes
/// are enough.
const char* manifest_name(std::string_view first_bytes);
inline constexpr std::size_t kEnoughOfManifest = 4096;

}  // namespace tributary
