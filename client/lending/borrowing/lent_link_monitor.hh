#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lending/borrowing/lender_watch.hh"
#include "links/interfaces/link_monitor.hh"
#include "transport/sockets/event_fd.hh"

namespace tributary::lending {

/// Tells which lent links lead to an origin.
class LentLinkMonitor final : public LinkMonitor {
 public:
  LentLinkMonitor(std::vector<std::shared_ptr<LenderWatch>> lenders, const std::vector<std::string>& origin_addresses);
  ~LentLinkMonitor() override;
  LentLinkMonitor(const LentLinkMonitor&) = delete;

  int file_descriptor() const override { return bell_.get(); }
  std::vector<LinkChangeNotice> poll() override;
  std::vector<LinkChangeNotice> obstructed() const override;
  bool is_waiting() const override;

 private:
  LinkChangeNotice notice_of(const LenderWatch& lender) const;

  std::vector<std::shared_ptr<LenderWatch>> lenders_;
  bool origin_is_here_ = false, origin_is_public_ = true;
  transport::EventFd bell_;
  std::map<std::string, bool> told_;  // of links, by name: usable
};

}  // namespace tributary::lending
