#pragma once

#include <algorithm>

#include "core/costs/link_cost.hh"
#include "core/links/link_ids.hh"
#include "units/identifiers.hh"

namespace tributary {

/// Knows the cost of each link, and how many of its allowed bytes are left. A link without a told cost is free.
///
/// A request counts at once, whole; missing bytes of a failed request are given back. Received and outstanding bytes
/// are therefore together never more than allowed.
class LinkCosts {
 public:
  void told(LinkId link, const LinkCost& cost) {
    const auto known = std::ranges::find(entries_, link, &Entry::link);
    (known != entries_.end() ? *known : entries_.emplace_back(Entry{link, {}, {}})).cost = cost;
    any_ = std::ranges::any_of(entries_, [](const Entry& entry) { return entry.cost.spared(); });
    limited_ = limited_ || cost.allowed.has_value();
  }

  /// Some link is not free.
  bool any() const { return any_; }
  /// Some link had a limit at some time.
  bool limited() const { return limited_; }
  const LinkCost& of(LinkId link) const {
    const Entry* entry = find(link);
    return entry == nullptr ? free_ : entry->cost;
  }
  bool spared(LinkId link) const { return of(link).spared(); }
  /// Bytes that may still be requested; nothing: any number.
  std::optional<DataSize> left(LinkId link) const {
    const Entry* entry = find(link);
    if (entry == nullptr || !entry->cost.allowed) return std::nullopt;
    return std::max(*entry->cost.allowed - entry->requested, DataSize{});
  }
  bool may_request(LinkId link, DataSize size) const { return size <= left(link).value_or(size); }
  bool used_up(LinkId link) const { return left(link) == DataSize{}; }
  /// It is used up, and no more bytes will be allowed.
  bool used_up_for_good(LinkId link) const { return used_up(link) && !of(link).why_not_more.empty(); }

  void requested(LinkId link, DataSize size) { count(link, size); }
  void not_received(LinkId link, DataSize size) { count(link, DataSize{} - size); }

 private:
  struct Entry {
    LinkId link;
    LinkCost cost;
    DataSize requested;
  };
  const Entry* find(LinkId link) const {
    const auto found = std::ranges::find(entries_, link, &Entry::link);
    return found == entries_.end() ? nullptr : &*found;
  }
  void count(LinkId link, DataSize size) {
    const auto found = std::ranges::find(entries_, link, &Entry::link);
    if (found != entries_.end()) found->requested += size;
  }

  OfLinks<Entry> entries_;
  LinkCost free_;
  bool any_ = false, limited_ = false;
};

}  // namespace tributary
