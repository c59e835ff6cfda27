#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "worlds/link_budget.hh"

namespace tributary {

/// Keeps the bytes that were used of each network since its last reset day, in a file that several programs share:
/// FOLDER/link-usage.json, and the same once more in link-usage.copy.json. Both are replaced whole, under a lock, one after the
/// other, so one of them can always be read; a damaged one is kept under another name, and said. If neither can be read, or none
/// can be written, nothing of a cap is given out.
///
/// What a program took that was killed counts as used.
class UsageLedger : public LinkBudget {
 public:
  using Day = std::chrono::year_month_day;
  struct Surroundings {
    std::function<std::string(const std::string& link)> network_of;  // which network a link leads to now
    std::function<Day()> today;
    std::function<void(const std::string& text)> warn;
  };

  UsageLedger(std::string folder, Surroundings around) : folder_{std::move(folder)}, around_{std::move(around)} {}

  Grant take(const std::string& link, const LinkTerms& terms, DataSize wanted) override;
  void give_back(const std::string& link, const LinkTerms& terms, DataSize unused) override;
  /// Since the last reset day. Nothing was used of a network that is not known.
  DataSize used(const std::string& link, const LinkTerms& terms) const;

  /// $XDG_STATE_HOME/tributary, or ~/.local/state/tributary. Throws std::runtime_error where there is no home.
  static std::string usual_folder();

 private:
  std::string folder_;
  Surroundings around_;
  bool warned_ = false;
};

/// The reset day on or before this day, and the one after it.
UsageLedger::Day last_reset(UsageLedger::Day today, int reset_day);
UsageLedger::Day next_reset(UsageLedger::Day today, int reset_day);

}  // namespace tributary
