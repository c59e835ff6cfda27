#include "playback/status/link_uses.hh"

#include <algorithm>

namespace tributary {

std::optional<event::LinkUseChanged> LinkUses::change(const std::string& name, LinkUse use, const Session& session) {
  set(name, use);
  const auto& links = session.links().all();
  const auto link = std::ranges::find(links, name, [](const auto& entry) { return entry.second.name; });
  if (link == links.end()) return std::nullopt;
  return event::LinkUseChanged{link->first, use};
}

}  // namespace tributary
