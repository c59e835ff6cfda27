#include "links/held_links.hh"

#include <algorithm>
#include <iterator>

namespace tributary {

std::vector<LinkChangeNotice> HeldLinks::poll() {
  std::ranges::move(monitor_.poll(), std::back_inserter(kept_));
  const auto told = std::ranges::stable_partition(kept_, [&](const LinkChangeNotice& n) { return held_(n.link.name); });
  std::vector<LinkChangeNotice> notices{std::make_move_iterator(told.begin()), std::make_move_iterator(told.end())};
  kept_.erase(told.begin(), told.end());
  return notices;
}

}  // namespace tributary
