#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/common/link_costs.hh"
#include "apps/get/download_state.hh"
#include "apps/get/get_options.hh"
#include "apps/get/get_progress.hh"
#include "apps/get/get_report.hh"
#include "transport/object_fetch.hh"
#include "transport/origin.hh"

namespace tributary {

/// An object, and how to come to it.
struct FoundObject {
  transport::ObjectHead head;
  transport::FileLocation location;    // after redirects
  std::vector<std::string> addresses;  // of its origin
};

/// Downloads an object in ranges over all links, into the file `path` by way of its part. Goes on with what was left
/// behind, if anything was. Fills in the report. The exit status; throws GetError and WriteError.
int download_in_parallel(const GetOptions& options, const std::string& path, const FoundObject& object,
                         const std::optional<DownloadState>& left_behind, RealLinkCosts& costs, int stop_fd,
                         ProgressLine* line, GetReport& report);

}  // namespace tributary
