#include "bonding/community/community_database.hh"

namespace tributary::bonding {

bool CommunityDatabase::take_in(const LocalReport& report, TimePoint now) {
  std::erase_if(entries_, [&](const auto& entry) { return now - entry.second.came >= kept_for_; });
  const auto known = entries_.find(report.member);
  if (known != entries_.end() && report.stated_at <= known->second.report.stated_at) return false;
  entries_.insert_or_assign(report.member, Entry{report, now});
  return true;
}

std::vector<LocalReport> CommunityDatabase::members(TimePoint now) const {
  std::vector<LocalReport> members;
  for (const auto& [member, entry] : entries_)
    if (now - entry.came < kept_for_ && !entry.report.leaves) members.push_back(entry.report);
  return members;
}

}  // namespace tributary::bonding
