#include "worlds/discovery/origin_links.hh"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "links/link_catalogue.hh"

namespace tributary {

OriginLinks::OriginLinks(const transport::Origin& origin, const transport::LinkRules& rules,
                         std::vector<std::string> only)
    : rules_{rules}, only_{std::move(only)}, lookup_{origin, rules} {}

int OriginLinks::file_descriptor() const {
  if (monitor_) return monitor_->file_descriptor();
  return obstacle_.empty() ? lookup_.file_descriptor() : -1;
}

void OriginLinks::look() {
  try {
    if (!monitor_ && obstacle_.empty()) {
      if (const auto addresses = lookup_.result()) monitor_ = watch_links(rules_.catalogue.get(), *addresses, only_);
    }
    if (!monitor_) return;
    for (const LinkChangeNotice& notice : monitor_->poll()) {
      std::erase(usable_, notice.link.name);
      if (notice.usable) usable_.push_back(notice.link.name);
      obstacle_ = usable_.empty() ? fmt::format("{}: {}", notice.link.name, notice.why) : "";
    }
  } catch (const std::exception& error) {
    obstacle_ = error.what();
  }
}

}  // namespace tributary
