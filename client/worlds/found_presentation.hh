#pragma once

#include <functional>
#include <string>
#include <vector>

#include "transport/connections/origin.hh"
#include "transport/documents/document_fetch.hh"
#include "worlds/discovery/first_link.hh"
#include "worlds/network_world.hh"

namespace tributary {

/// An index, and the way to the files that it lists.
struct FoundPresentation {
  std::string index;                   // the text
  transport::FileLocation location;    // of the index, after redirects
  std::vector<std::string> addresses;  // of its origin
  Duration waited{};                   // from the request to the first byte of the answer
};

/// How to look for a presentation. A caller that must not wait sets functions of its own, which may throw.
struct PresentationSearch {
  std::string url;                 // of the index
  std::vector<std::string> links;  // only these; empty: all
  std::string ca_file;
  UseOfLink use = use_any_link;
  std::function<std::vector<std::string>(const transport::Origin& origin)> resolve;
  std::function<void(transport::CurlLoop& loop, std::optional<Duration> at_most)> wait;
  std::function<void(const std::string& what_for)> tell;  // called as long as nothing comes

  /// Sets functions that wait, and tell nothing.
  PresentationSearch(std::string index_url, std::vector<std::string> only, std::string authorities);
};

/// Fetches the index over the first link that can (first_link.hh). Throws std::runtime_error: transport::UrlError, or
/// NoLinkWorked.
FoundPresentation find_presentation(const PresentationSearch& search);

/// Connections to the origin of a presentation over any link, made by these rules. `found` and `loop` must outlive
/// them.
NetworkWorld::Connections connections_to(const FoundPresentation& found, transport::CurlLoop& loop,
                                         const transport::LinkRules& rules);

}  // namespace tributary
