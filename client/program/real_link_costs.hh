#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "accounts/link_terms.hh"
#include "accounts/usage_ledger.hh"
#include "lending/borrowing/lent_links.hh"
#include "links/interfaces/network_name.hh"
#include "program/network_manager.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

class LinkCatalogue;

/// Advice for a user who has used up a program's links.
inline constexpr const char* kWhatToDoWhenUsedUp =
    "raise the cap (--link NAME=metered:SIZE), connect another link, or wait until the cap begins anew";

/// The costs of a program's links, as its user gives them. A link without a cost is a backup if the desktop calls it
/// metered, and free otherwise. Counts the bytes used of each network.
class RealLinkCosts {
 public:
  using Say = std::function<void(const std::string& text)>;

  /// Calls `say` for all that the user has to know, once for each matter. `catalogue`: may know lent links, on the terms of
  /// their lenders; null: it does not.
  RealLinkCosts(TermsOfLinks terms, const LinkCatalogue* catalogue, Say say);
  RealLinkCosts(const RealLinkCosts&) = delete;  // the ledger holds a pointer to the object

  /// Sets the addresses of the origin, as soon as they are known. The gateway towards them tells networks apart.
  void lead_to(std::vector<std::string> origin_addresses) { origin_addresses_ = std::move(origin_addresses); }
  /// From any thread, as use_of().
  LinkTerms terms_of(const std::string& link);
  /// The use of a link for requests that any single link can serve: spared links come last.
  LinkUse use_of(const std::string& link);
  LinkBudget& budget() { return budget_; }

 private:
  std::mutex mutex_;  // of terms_, and what finds them
  TermsOfLinks terms_;
  Say say_;
  NetworkManager manager_;
  std::vector<std::string> origin_addresses_ = kAnywhere;
  UsageLedger ledger_;
  std::shared_ptr<const lending::LentLinks> lent_;  // null: there are none
  /// Of lent links, their lenders know what is left; of others, the ledger.
  struct Budget final : LinkBudget {
    explicit Budget(RealLinkCosts& of) : costs{of} {}
    std::unique_ptr<LinkLease> lease(const std::string& link, const LinkTerms& terms) override;
    RealLinkCosts& costs;
  } budget_{*this};
};

}  // namespace tributary
