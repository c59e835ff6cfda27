#include "download/search/title_search.hh"

#include <array>
#include <filesystem>
#include <string>
#include <utility>

#include "system/stop_signal.hh"
#include "transport/connections/origin_addresses.hh"
#include "units/text/channel_address.hh"
#include "worlds/channel_search.hh"

namespace tributary {
namespace {

/// What waits for a reader is ended by the signal itself (download.cc).
int stop_fd_for(const std::string& output) {
  std::error_code none;
  const auto status = std::filesystem::status(output, none);
  const bool waits = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
                     !std::filesystem::is_directory(status);
  return waits ? -1 : stop_signal_fd();
}

/// As it stands in the list, and no address behind it.
std::string channel_of(PresentationSearch search) {
  try {
    return find_manifest(search).asked;
  } catch (const NoManifestFound& file) {
    return file.asked;
  }
}

}  // namespace

std::vector<std::string> resolve_or_end(const transport::Origin& origin, const transport::LinkRules& rules) {
  try {
    return transport::resolve(origin, rules);
  } catch (const transport::UrlError& error) {
    throw GetError{kNotResolved, error.what()};
  }
}

void wait_or_end(transport::CurlLoop& loop, std::optional<Duration> at_most, int stop_fd) {
  std::array<transport::CurlLoop::ExtraFd, 1> stop{{{stop_fd}}};
  loop.wait(at_most, stop);
  if (stop[0].ready) throw GetError{kInterrupted, "interrupted"};
}

PresentationSearch title_search(const GetOptions& options, RealLinkCosts& costs, int stop_fd, ProgressLine* line) {
  PresentationSearch search{options.url, options.links, options.rules};
  search.use = [&](const std::string& link) { return costs.use_of(link); };
  search.resolve = [&options](const transport::Origin& origin) { return resolve_or_end(origin, options.rules); };
  search.wait = [stop_fd](transport::CurlLoop& loop, std::optional<Duration> at_most) {
    wait_or_end(loop, at_most, stop_fd);
  };
  if (line != nullptr) search.tell = [line](const std::string& what_for) { line->say(what_for); };
  return search;
}

GetOptions at_channel(GetOptions options, RealLinkCosts& costs, ProgressLine* line) {
  if (channel_address(options.url).channels.empty()) return options;
  PresentationSearch search = title_search(options, costs, stop_fd_for(options.output), line);
  options.url = with_get_errors([&] { return channel_of(std::move(search)); });
  return options;
}

}  // namespace tributary
