#pragma once

#include <map>
#include <variant>

#include "core/world.hh"
#include "presentation/segment_limits.hh"
#include "presentation/segments/segment_table.hh"
#include "transport/http_transport.hh"

namespace tributary {

/// Knows the sizes that the session has asked for (action::AskSize), and tells those that answers state. A question that
/// fails has no consequence.
class AskedSizes {
 public:
  /// The request for it: the first byte of the file. `table` may know more than the session does.
  transport::RangeRequest request(const action::AskSize& asked, const SegmentTable& table) {
    asked_.emplace(asked.request, asked);
    const Resource resource = table.parts(asked.segment, asked.quality).back().resource;
    const DataSize begin = resource.range.begin;
    return {.id = asked.request,
            .target = resource.uri,
            .range = {begin, begin + DataSize{1}},
            .file_size = resource.estimated ? std::nullopt : std::optional{resource.range.end},
            .open = true,
            .largest = begin + largest_of(resource.range.size())};
  }
  bool has(RequestId request) const { return asked_.contains(request); }
  /// True if the event belongs to such a request. What it tells is appended to `happened`, a sequence of TimedEvents.
  template <typename TimedEvents>
  bool take(const transport::Event& event, TimedEvents& happened, TimePoint now) {
    const auto found = asked_.find(std::visit([](const auto& e) { return e.id; }, event));
    if (found == asked_.end()) return false;
    if (const auto* began = std::get_if<transport::ResponseBegan>(&event); began != nullptr && began->file_size)
      happened.push_back({now, event::SizeTold{found->second.segment, found->second.quality, *began->file_size}});
    const bool ended = std::holds_alternative<transport::RequestDone>(event) ||
                       std::holds_alternative<transport::RequestFailed>(event);
    if (ended) asked_.erase(found);
    return true;
  }

 private:
  std::map<RequestId, action::AskSize> asked_;
};

}  // namespace tributary
