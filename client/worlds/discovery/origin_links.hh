#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "links/interfaces/link_monitor.hh"
#include "transport/connections/address_lookup.hh"
#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"

namespace tributary {

/// Which links lead to one origin now. For one thread, which does not wait.
class OriginLinks {
 public:
  /// `only`: of these links; empty: of all.
  OriginLinks(const transport::Origin& origin, const transport::LinkRules& rules, std::vector<std::string> only);

  /// Readable when look() may have news.
  int file_descriptor() const;
  void look();
  const std::vector<std::string>& usable() const { return usable_; }
  /// Why there is no link; for people. Empty: it is not known yet, or there is one.
  const std::string& obstacle() const { return obstacle_; }

 private:
  const transport::LinkRules rules_;
  const std::vector<std::string> only_;
  transport::AddressLookup lookup_;
  std::unique_ptr<LinkMonitor> monitor_;  // once the addresses are known
  std::vector<std::string> usable_;       // in the order in which they were told
  std::string obstacle_;
};

}  // namespace tributary
