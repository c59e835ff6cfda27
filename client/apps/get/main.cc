#include <cstdio>
#include <exception>

#include "command_line/program_end.hh"
#include "download/download.hh"
#include "download/files/checksum.hh"
#include "download/files/destination.hh"
#include "download/options/get_options.hh"
#include "download/report/exit_status.hh"
#include "program/options/forget_networks.hh"
#include "transport/connections/origin_addresses.hh"
#include "worlds/discovery/first_link.hh"

namespace {

int status_after(const std::exception& error) {
  using namespace tributary;
  if (const auto* const failed = dynamic_cast<const GetError*>(&error)) return failed->exit_status;
  if (const auto* const no_link = dynamic_cast<const NoLinkWorked*>(&error)) return exit_status_of(no_link->reason);
  if (dynamic_cast<const NamedLinksUnusable*>(&error) != nullptr) return kNamedLinkUnusable;
  if (dynamic_cast<const transport::LookupError*>(&error) != nullptr) return kNotResolved;
  if (dynamic_cast<const transport::UrlError*>(&error) != nullptr) return kBadUrl;
  if (dynamic_cast<const WrongChecksum*>(&error) != nullptr) return kWrongChecksum;
  if (dynamic_cast<const WriteError*>(&error) != nullptr) return kCannotWrite;
  return 1;
}

/// Returns the exit status of the first that failed.
int download_all(const tributary::GetOptions& options) {
  using namespace tributary;
  int status = 0;
  for (const ListedFile& file : options.files) {
    const int ended = run_program({.program = "tributary-get", .other = status_after},
                                  [&] { return download(options_for(options, file)); });
    if (ended == kInterrupted) return ended;
    if (status == 0) status = ended;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-get", .other = status_after}, [&] {
    const GetOptions options = parse_command_line(argc, argv);
    if (options.forget) forget_networks(options.files.empty() ? stdout : stderr);
    return download_all(options);
  });
}
