#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "accounts/link_budget.hh"
#include "accounts/usage_books.hh"

namespace tributary {

/// Keeps the bytes that were used of each network since its last reset day, in files that several programs share
/// (usage_books.hh). If neither copy can be read, or none can be written, nothing of a cap is given out.
///
/// Bytes that a program takes count at once. A program that ends gives back the bytes that have not come, so that
/// received bytes count, without headers. For a killed program, the next one gives back the bytes that were not
/// requested yet (usage_lease.hh); bytes under way count as used. After a loss of power nothing is given back, so that
/// up to 2 MB for each link count without use.
class UsageLedger : public LinkBudget {
 public:
  using Day = std::chrono::year_month_day;
  struct Surroundings {
    std::function<std::string(const std::string& link)> network_of;  // the network that a link leads to now
    std::function<Day()> today;
    std::function<void(const std::string& text)> warn;
  };

  /// Without a folder nothing can be counted.
  UsageLedger(std::optional<std::string> folder, Surroundings around)
      : folder_{std::move(folder)}, around_{std::move(around)} {}

  std::unique_ptr<LinkLease> lease(const std::string& link, const LinkTerms& terms) override;
  /// Bytes since the last reset day; 0 for an unknown network.
  DataSize used(const std::string& link, const LinkTerms& terms) const;

 private:
  class Lease;
  /// Opens and locks the books. Throws std::exception.
  UsageBooks books() const;
  std::string since(const LinkTerms& terms) const;
  void cannot_count(const std::string& link, const LinkTerms& terms, const std::exception& error);

  std::optional<std::string> folder_;
  Surroundings around_;
  bool warned_ = false;
};

/// last_reset(): the reset day on or before `today`. next_reset(): the one after that.
UsageLedger::Day last_reset(UsageLedger::Day today, int reset_day);
UsageLedger::Day next_reset(UsageLedger::Day today, int reset_day);

}  // namespace tributary
