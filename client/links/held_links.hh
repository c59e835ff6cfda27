#pragma once

#include <functional>
#include <string>
#include <vector>

#include "links/interfaces/link_monitor.hh"

namespace tributary {

/// A monitor that keeps to itself what it knows of some links, for now.
class HeldLinks final : public LinkMonitor {
 public:
  /// The monitor must outlive it. `held` is asked at each poll().
  HeldLinks(LinkMonitor& monitor, std::function<bool(const std::string& link)> held)
      : monitor_{monitor}, held_{std::move(held)} {}

  int file_descriptor() const override { return monitor_.file_descriptor(); }
  std::vector<LinkChangeNotice> poll() override;
  std::vector<LinkChangeNotice> obstructed() const override { return monitor_.obstructed(); }
  bool is_waiting() const override { return monitor_.is_waiting(); }

 private:
  LinkMonitor& monitor_;
  std::function<bool(const std::string& link)> held_;
  std::vector<LinkChangeNotice> kept_;
};

}  // namespace tributary
