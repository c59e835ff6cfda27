#pragma once

#include <algorithm>
#include <boost/container/flat_map.hpp>

#include "core/costs/link_cost.hh"
#include "units/identifiers.hh"

namespace tributary {

/// Knows the cost of each link, and how many of its allowed bytes are left. A link without a told cost is free.
///
/// A request counts at once, whole; missing bytes of a failed request are given back. Received and outstanding bytes
/// are therefore together never more than allowed.
class LinkCosts {
 public:
  void told(LinkId link, const LinkCost& cost) {
    entries_[link].cost = cost;
    any_ = std::ranges::any_of(entries_, [](const auto& entry) { return entry.second.cost.spared(); });
    limited_ = limited_ || cost.allowed.has_value();
  }

  /// Some link is not free.
  bool any() const { return any_; }
  /// Some link had a limit at some time.
  bool limited() const { return limited_; }
  const LinkCost& of(LinkId link) const {
    static const LinkCost kFree;
    const auto found = entries_.find(link);
    return found == entries_.end() ? kFree : found->second.cost;
  }
  bool spared(LinkId link) const { return of(link).spared(); }
  /// Bytes that may still be requested; nothing: any number.
  std::optional<DataSize> left(LinkId link) const {
    const auto found = entries_.find(link);
    if (found == entries_.end() || !found->second.cost.allowed) return std::nullopt;
    return std::max(*found->second.cost.allowed - found->second.requested, DataSize{});
  }
  bool may_request(LinkId link, DataSize size) const { return size <= left(link).value_or(size); }
  bool used_up(LinkId link) const { return left(link) == DataSize{}; }
  /// It is used up, and no more bytes will be allowed.
  bool used_up_for_good(LinkId link) const { return used_up(link) && !of(link).why_not_more.empty(); }

  void requested(LinkId link, DataSize size) { count(link, size); }
  void not_received(LinkId link, DataSize size) { count(link, DataSize{} - size); }

 private:
  struct Entry {
    LinkCost cost;
    DataSize requested;
  };
  void count(LinkId link, DataSize size) {
    const auto found = entries_.find(link);
    if (found != entries_.end()) found->second.requested += size;
  }

  boost::container::flat_map<LinkId, Entry> entries_;
  bool any_ = false, limited_ = false;
};

}  // namespace tributary
