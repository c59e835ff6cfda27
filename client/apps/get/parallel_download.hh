#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/output_file.hh"
#include "apps/common/real_link_costs.hh"
#include "apps/get/files/download_state.hh"
#include "apps/get/files/in_place_file.hh"
#include "apps/get/front_answer.hh"
#include "apps/get/get_options.hh"
#include "apps/get/get_progress.hh"
#include "apps/get/get_report.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/origin.hh"
#include "transport/documents/object_fetch.hh"

namespace tributary {

/// An object, and how to come to it.
struct FoundObject {
  transport::ObjectHead head;
  transport::FileLocation location;    // after redirects
  std::vector<std::string> addresses;  // of its origin
  std::string link;                    // over which it was found
  std::unique_ptr<FrontAnswer> front;  // by which it was found, if that goes on
};

/// Where an object is to be, and what is there of it.
struct DownloadTarget {
  std::string path;
  std::unique_ptr<InPlaceFile> in_place;  // nothing if it is to be a file
  std::optional<DownloadState> left_behind{};
};

/// Downloads an object in ranges over all links, into a file by way of its part, or in place. Goes on with what was left
/// behind, if anything was. The answer by which the object was found goes on over its link and fills the file from the front, the
/// other links from the end (patient_download.hh). Fills in the report. The exit status; nothing if the origin's answers to ranges are
/// of no use, so that only all of the object in one answer is left to ask for. Throws GetError and WriteError.
std::optional<int> download_in_parallel(const GetOptions& options, const DownloadTarget& target, FoundObject& object,
                                        RealLinkCosts& costs, int stop_fd, ProgressLine* line,
                                        transport::CurlLoop& loop, OutputFile& trace, GetReport& report);

}  // namespace tributary
