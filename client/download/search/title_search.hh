#pragma once

#include <fmt/format.h>

#include "download/options/get_options.hh"
#include "download/report/exit_status.hh"
#include "download/report/get_progress.hh"
#include "program/real_link_costs.hh"
#include "transport/connections/origin.hh"
#include "units/text/redacted_url.hh"
#include "worlds/found_presentation.hh"

namespace tributary {

inline constexpr int kUnreadable = 1;  // exit status

/// The addresses of an origin. Throws GetError.
std::vector<std::string> resolve_or_end(const transport::Origin& origin, const transport::LinkRules& rules);
/// Waits until something has come, but at most this time. Throws GetError after Ctrl-C.
void wait_or_end(transport::CurlLoop& loop, std::optional<Duration> at_most, int stop_fd);

/// How to look for what is at options.url. The costs and the line, which may be null, must outlive it.
PresentationSearch title_search(const GetOptions& options, RealLinkCosts& costs, int stop_fd, ProgressLine* line);

/// Looks for it. Throws GetError, NoLinkWorked.
template <typename Find>
auto with_get_errors(Find find) {
  try {
    return find();
  } catch (const UnreadableManifest& error) {
    throw GetError{kUnreadable, fmt::format("{}: {}", redacted(error.url), error.what())};
  } catch (const transport::UrlError& error) {
    throw GetError{kBadUrl, error.what()};
  }
}

/// Where the address names a channel of a list, the options get that channel's address in its place. Others stay. Throws
/// GetError, NoLinkWorked.
GetOptions at_channel(GetOptions options, RealLinkCosts& costs, ProgressLine* line);

}  // namespace tributary
