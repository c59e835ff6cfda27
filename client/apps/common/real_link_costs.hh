#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/common/network_manager.hh"
#include "links/network_name.hh"
#include "worlds/accounts/link_terms.hh"
#include "worlds/accounts/usage_ledger.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// For whoever used a program's links up.
inline constexpr const char* kWhatToDoWhenUsedUp =
    "raise the cap (--link NAME=metered:SIZE), connect another link, or wait until the cap begins anew";

/// What the links of a program cost: as its user says, or else as the desktop does, whose metered links are backups. Counts what
/// is used of them, for every network apart.
class RealLinkCosts {
 public:
  using Say = std::function<void(const std::string& text)>;

  /// Says everything that the user has to know, once.
  RealLinkCosts(TermsOfLinks terms, Say say);
  RealLinkCosts(const RealLinkCosts&) = delete;  // its ledger points to it

  /// Where the links lead to, as soon as that is known: networks are told apart by their gateways there.
  void lead_to(std::vector<std::string> origin_addresses) { origin_addresses_ = std::move(origin_addresses); }
  LinkTerms terms_of(const std::string& link);
  /// For what is asked of one link only: those that cost something come last.
  LinkUse use_of(const std::string& link);
  LinkBudget& budget() { return ledger_; }

 private:
  TermsOfLinks terms_;
  Say say_;
  NetworkManager manager_;
  std::vector<std::string> origin_addresses_ = kAnywhere;
  UsageLedger ledger_;
};

}  // namespace tributary
