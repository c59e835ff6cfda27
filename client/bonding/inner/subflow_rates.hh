#pragma once

#include <chrono>
#include <map>
#include <vector>

#include "bonding/scheduling/subflow.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// At which rate each subflow comes, over two seconds and more. One of which nothing has come for four seconds has gone.
class SubflowRates {
 public:
  void came(Subflow subflow, DataSize size, TimePoint now);
  /// The most important first. One of which only one packet has come has no rate yet: 0.
  std::vector<SubflowRate> at(TimePoint now) const;

 private:
  static constexpr Duration kPeriod = std::chrono::seconds{2}, kGone = std::chrono::seconds{4};

  struct Counted {
    TimePoint since{}, last{};
    DataSize size;  // that came after `since`
    DataRate rate;
    bool whole_period = false;  // the rate is that of one
  };
  std::map<Subflow, Counted> subflows_;
};

}  // namespace tributary::bonding
