#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "download/options/get_options.hh"
#include "download/report/get_progress.hh"
#include "download/report/get_report.hh"
#include "program/output_file.hh"
#include "program/real_link_costs.hh"
#include "worlds/found_presentation.hh"

namespace tributary {

/// Where a title goes.
struct TitleTarget {
  std::string path;       // of the film, behind all symbolic links
  std::string container;  // a suffix (film/film_file.hh)
};

/// Fetches the title of the manifest at options.url over all links, in one quality, and puts it into one file, by way
/// of FILE.part, in a session of `to_come`. An unfinished title is removed. Fills in the report. Returns the exit status.
/// Throws GetError, NoLinkWorked, WriteError, FilmError.
int download_title(const GetOptions& options, const TitleTarget& target, RealLinkCosts& costs, int stop_fd,
                   ProgressLine* line, OutputFile& trace, GetReport& report, const SessionToCome& to_come);

/// The name of the kind of manifest that these first bytes of a file begin, as "an MPD"; null if it is none. 4096 bytes
/// are enough.
const char* manifest_name(std::string_view first_bytes);
inline constexpr std::size_t kEnoughOfManifest = 4096;

}  // namespace tributary
