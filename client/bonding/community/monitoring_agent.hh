#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "bonding/community/community_database.hh"
#include "units/split_mix.hh"

namespace tributary::bonding {

/// What one member tells the proxy of all (R_p).
struct ProxyReport {
  std::vector<LocalReport> members;
};

/// MC² leaves these open.
struct ReportTimes {
  Duration local = std::chrono::seconds{1};   // between local reports of a member: I_l
  Duration proxy = std::chrono::seconds{5};   // between reports of the community to the proxy: I_p
  Duration spread = std::chrono::seconds{1};  // of the members' timers: S_d
  Duration kept_for() const { return 3 * local; }
};

/// One member's part of monitoring a community (MC², section IV). It tells the others of itself at intervals, and at once
/// when that has changed. Some time after the last report to the proxy, whose length is drawn anew each time, it sends the
/// next one over its own link, and to the others as well. Whoever hears that keeps back its own. So nobody is elected, about
/// one report comes in each interval, and the next member takes over when one falls silent.
///
/// Sends nothing, and knows no clock: the caller hands over what was heard, and sends what wake() returns.
class MonitoringAgent {
 public:
  MonitoringAgent(MemberId own, const ReportTimes& times, std::uint64_t seed, TimePoint now);

  void heard(const LocalReport& report, TimePoint now) { database_.take_in(report, now); }
  void heard(const ProxyReport& report, TimePoint now);
  /// What this member tells of itself is no longer what it told.
  void changed(TimePoint now) { local_due_ = now; }

  TimePoint next_deadline() const { return std::min(local_due_, proxy_due_); }
  struct Due {
    std::optional<LocalReport> to_members;
    std::optional<ProxyReport> to_proxy;  // and to the members
  };
  /// What is due now. `self`: how this member is; its id and time are filled in.
  Due wake(LocalReport self, TimePoint now);

  std::vector<LocalReport> members(TimePoint now) const { return database_.members(now); }

 private:
  void arm(TimePoint now);

  MemberId own_;
  ReportTimes times_;
  SplitMix random_;
  CommunityDatabase database_;
  TimePoint local_due_, proxy_due_{};
};

}  // namespace tributary::bonding
