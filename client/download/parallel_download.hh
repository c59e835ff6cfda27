#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "download/download_target.hh"
#include "download/options/get_options.hh"
#include "download/report/get_progress.hh"
#include "download/report/get_report.hh"
#include "download/search/front_answer.hh"
#include "program/output_file.hh"
#include "program/real_link_costs.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/origin.hh"
#include "transport/connections/preconnections.hh"
#include "transport/documents/object_fetch.hh"
#include "transport/link_transport.hh"

namespace tributary {

/// An object, and where to fetch it.
struct FoundObject {
  transport::ObjectHead head;
  transport::FileLocation location;                             // where it is asked for first
  std::vector<std::string> addresses;                           // of its origin
  std::optional<transport::KnownPlace> led_to{};                // after redirections, if there were any
  std::string link;                                             // the link over which it was found
  bool refuses_large_ranges = false;                            // its server does
  std::unique_ptr<FrontAnswer> front;                           // the answer that found it, if it goes on
  std::shared_ptr<transport::Preconnections> preconnections{};  // to the origin that was asked first
};

/// Downloads an object in ranges over all links, into a file by way of FILE.part, or in place. Continues an earlier
/// download if the target has one. The answer that found the object goes on over its link and fills the file from the
/// front; the other links fill it from the end (patient_download.hh). Fills in the report. Returns the exit status, or
/// nothing if ranges are of no use here, so that only one answer with all of the object is left to try. Throws GetError
/// and WriteError.
std::optional<int> download_in_parallel(const GetOptions& options, const DownloadTarget& target, FoundObject& object,
                                        RealLinkCosts& costs, int stop_fd, ProgressLine* line,
                                        transport::CurlLoop& loop, OutputFile& trace, GetReport& report);

}  // namespace tributary
