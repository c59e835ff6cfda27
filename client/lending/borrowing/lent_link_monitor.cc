#include "lending/borrowing/lent_link_monitor.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "links/interfaces/link_snapshot.hh"
#include "transport/sockets/public_address.hh"

namespace tributary::lending {

LentLinkMonitor::LentLinkMonitor(std::vector<std::shared_ptr<LenderWatch>> lenders,
                                 const std::vector<std::string>& origin_addresses)
    : lenders_{std::move(lenders)} {
  if (!origin_addresses.empty()) {
    origin_is_here_ = LinkSnapshot{origin_addresses}.origin_is_loopback();
    origin_is_public_ =
        std::ranges::any_of(origin_addresses, [](const std::string& address) { return transport::is_public(address); });
  }
  for (const auto& lender : lenders_) lender->tell(bell_);
}

LentLinkMonitor::~LentLinkMonitor() {
  for (const auto& lender : lenders_) lender->forget(bell_);
}

LinkChangeNotice LentLinkMonitor::notice_of(const LenderWatch& lender) const {
  LinkInfo link;
  link.name = lender.lender().name;
  link.kind = "lent";
  link.has_ipv4 = link.has_ipv6 = true;  // the lender sees to that
  const LenderWatch::Known known = lender.known();
  std::string why_not;
  if (origin_is_here_) {
    why_not = "the origin is on this machine";
  } else if (!known.status) {
    why_not = known.why_not;
  } else if (!known.status->lends) {
    why_not = known.status->why;
  } else if (known.status->public_only && !origin_is_public_) {
    why_not = "it leads to public addresses only";
  }
  const bool usable = why_not.empty();
  return {.link = std::move(link), .usable = usable, .why = usable ? "lent" : std::move(why_not)};
}

std::vector<LinkChangeNotice> LentLinkMonitor::poll() {
  bell_.clear();
  std::vector<LinkChangeNotice> changes;
  for (const auto& lender : lenders_) {
    LinkChangeNotice now = notice_of(*lender);
    bool& told = told_[now.link.name];
    if (now.usable != told) changes.push_back(now);
    told = now.usable;
  }
  return changes;
}

bool LentLinkMonitor::is_waiting() const {
  return !origin_is_here_ && std::ranges::any_of(lenders_, [](const auto& lender) { return lender->is_being_asked(); });
}

std::vector<LinkChangeNotice> LentLinkMonitor::obstructed() const {
  std::vector<LinkChangeNotice> all;
  for (const auto& lender : lenders_) {
    LinkChangeNotice now = notice_of(*lender);
    const auto told = told_.find(now.link.name);
    if (told == told_.end() || !told->second) all.push_back(std::move(now));
  }
  return all;
}

}  // namespace tributary::lending
