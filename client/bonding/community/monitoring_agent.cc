#include "bonding/community/monitoring_agent.hh"

#include <utility>

namespace tributary::bonding {

MonitoringAgent::MonitoringAgent(MemberId own, const ReportTimes& times, std::uint64_t seed, TimePoint now)
    : own_{own}, times_{times}, random_{seed}, database_{times.kept_for()}, local_due_{now} {
  arm(now);
}

void MonitoringAgent::arm(TimePoint now) {
  proxy_due_ = now + times_.proxy + from_seconds(random_.uniform() * to_seconds(times_.spread));
}

void MonitoringAgent::heard(const ProxyReport& report, TimePoint now) {
  for (const LocalReport& member : report.members) {
    if (member.member != own_) database_.take_in(member, now);
  }
  arm(now);
}

MonitoringAgent::Due MonitoringAgent::wake(LocalReport self, TimePoint now) {
  Due due;
  if (now < next_deadline()) return due;
  self.member = own_;
  self.stated_at = now;
  database_.take_in(self, now);
  if (now >= local_due_) {
    due.to_members = std::move(self);
    local_due_ = now + times_.local;
  }
  if (now >= proxy_due_) {
    due.to_proxy = ProxyReport{database_.members(now)};
    arm(now);
  }
  return due;
}

}  // namespace tributary::bonding
