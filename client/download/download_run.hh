#pragma once

#include "download/options/get_options.hh"
#include "download/report/get_progress.hh"
#include "download/report/get_report.hh"
#include "program/output_file.hh"
#include "program/real_link_costs.hh"
#include "transport/connections/curl_loop.hh"
#include "worlds/streaming_job.hh"

namespace tributary {

/// What every way to download uses and fills in. Borrowed for the length of the download.
struct DownloadRun {
  const GetOptions& options;
  RealLinkCosts& costs;
  int stop_fd;         // readable after Ctrl-C; -1: that ends the program itself
  ProgressLine* line;  // null: nobody is shown anything
  transport::CurlLoop& loop;
  OutputFile& trace;
  GetReport& report;
};

/// The links of a session, by these rules. `memory` may be null.
inline LinkPolicy links_of(const DownloadRun& run, const transport::LinkRules& rules, LinkMemory* memory) {
  return {.links = run.options.links,
          .rules = rules,
          .terms = [&costs = run.costs](const std::string& link) { return costs.terms_of(link); },
          .budget = &run.costs.budget(),
          .memory = memory};
}

}  // namespace tributary
