#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "worlds/accounts/link_budget.hh"
#include "worlds/accounts/usage_books.hh"

namespace tributary {

/// Keeps the bytes that were used of each network since its last reset day, in files that several programs share
/// (usage_books.hh). If neither copy of them can be read, or none can be written, nothing of a cap is given out.
///
/// What a program took counts at once. A program that ends gives back what has not come, so that what counts is what came, without
/// headers. Of one that was killed, the next program that counts gives back what had not been requested yet (usage_lease.hh): what
/// was under way counts as used. After a loss of power nothing is given back, and up to 2 MB for each link count that were not used.
class UsageLedger : public LinkBudget {
 public:
  using Day = std::chrono::year_month_day;
  struct Surroundings {
    std::function<std::string(const std::string& link)> network_of;  // which network a link leads to now
    std::function<Day()> today;
    std::function<void(const std::string& text)> warn;
  };

  /// Without a folder nothing can be counted.
  UsageLedger(std::optional<std::string> folder, Surroundings around)
      : folder_{std::move(folder)}, around_{std::move(around)} {}

  std::unique_ptr<LinkLease> lease(const std::string& link, const LinkTerms& terms) override;
  /// Since the last reset day. Nothing was used of a network that is not known.
  DataSize used(const std::string& link, const LinkTerms& terms) const;

 private:
  class Lease;
  /// Opened, and locked. Throws std::exception.
  UsageBooks books() const;
  std::string since(const LinkTerms& terms) const;
  void cannot_count(const std::string& link, const LinkTerms& terms, const std::exception& error);

  std::optional<std::string> folder_;
  Surroundings around_;
  bool warned_ = false;
};

/// The reset day on or before this day, and the one after it.
UsageLedger::Day last_reset(UsageLedger::Day today, int reset_day);
UsageLedger::Day next_reset(UsageLedger::Day today, int reset_day);

}  // namespace tributary
