#pragma once

#include <map>
#include <string>
#include <vector>

#include "links/interfaces/link_monitor.hh"

namespace tributary {

/// A monitor that remembers what it told of each link.
class KnownLinks final : public LinkMonitor {
 public:
  explicit KnownLinks(LinkMonitor& monitor) : monitor_{monitor} {}

  int file_descriptor() const override { return monitor_.file_descriptor(); }
  std::vector<LinkChangeNotice> poll() override {
    std::vector<LinkChangeNotice> notices = monitor_.poll();
    for (const LinkChangeNotice& notice : notices) latest_[notice.link.name] = notice;
    return notices;
  }
  std::vector<LinkChangeNotice> obstructed() const override { return monitor_.obstructed(); }
  bool is_waiting() const override { return monitor_.is_waiting(); }

  /// Nothing if it told nothing.
  const LinkChangeNotice* find(const std::string& link) const {
    const auto found = latest_.find(link);
    return found == latest_.end() ? nullptr : &found->second;
  }

 private:
  LinkMonitor& monitor_;
  std::map<std::string, LinkChangeNotice> latest_;
};

}  // namespace tributary
