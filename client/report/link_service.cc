#include "report/link_service.hh"

#include <algorithm>
#include <map>

namespace tributary {

LinkService::LinkService(const SessionRecord& record) : record_{record} {
  if (!record.requests().empty()) first_ = to_index(record.requests().front().id);
  std::map<LinkId, TimePoint> free_at;
  for (const RequestRecord& r : record.requests()) {
    const auto before = free_at.find(r.lane);
    const TimePoint begin = before == free_at.end() ? r.sent : std::max(r.sent, before->second);
    const TimePoint end = std::max(r.ended.value_or(record.now()), begin);
    served_.push_back({begin, end});
    free_at[r.lane] = end;
  }
}

std::optional<DataRate> LinkService::rate(LinkId link, TimePoint from, TimePoint until) const {
  DataSize bytes;
  Duration time{};
  TimePoint counted_until;  // connections of the link answer at the same time
  const RequestRecord* last_before = nullptr;
  const auto count = [&](const RequestRecord& r) {
    bytes += r.received;
    time += std::max(of(r).end - std::max(of(r).begin, counted_until), Duration{});
    counted_until = std::max(counted_until, of(r).end);
  };
  for (const RequestRecord& r : record_.requests()) {
    if (r.link != link || of(r).begin >= until) continue;
    if (of(r).end > from) {
      count(r);
    } else {
      last_before = &r;
    }
  }
  if (time == Duration{} && last_before != nullptr) count(*last_before);
  if (bytes == DataSize{} || time == Duration{}) return std::nullopt;
  return bytes / time;
}

}  // namespace tributary
