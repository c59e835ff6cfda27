#pragma once

#include <optional>

#include "download/download_run.hh"
#include "download/download_target.hh"
#include "download/found_object.hh"

namespace tributary {

/// Downloads an object in ranges over all links, into a file by way of FILE.part, or in place. Continues an earlier
/// download if the target has one. The answer that found the object goes on over its link and fills the file from the
/// front; the other links fill it from the end (beside/patient_download.hh). Fills in the report. Returns the exit status,
/// or nothing if ranges are of no use here, so that only one answer with all of the object is left to try. Throws GetError
/// and WriteError.
std::optional<int> download_in_parallel(const DownloadRun& run, const DownloadTarget& target, FoundObject& object);

}  // namespace tributary
