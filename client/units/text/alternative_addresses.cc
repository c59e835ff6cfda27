#include "units/text/alternative_addresses.hh"

#include <algorithm>

namespace tributary {

void AlternativeAddresses::add(const std::vector<std::string>& beginnings) {
  std::vector<std::string> group;
  for (const std::string& beginning : beginnings) {
    if (!group_of_.contains(beginning) && std::ranges::find(group, beginning) == group.end())
      group.push_back(beginning);
  }
  if (group.size() < 2 || groups_.size() >= kMostGroups) return;
  for (const std::string& beginning : group) group_of_.emplace(beginning, groups_.size());
  groups_.push_back(std::move(group));
}

void AlternativeAddresses::add(const AlternativeAddresses& other) {
  for (const std::vector<std::string>& group : other.groups_) add(group);
}

std::optional<AlternativeAddresses::Match> AlternativeAddresses::find(const std::string& url) const {
  if (groups_.empty()) return std::nullopt;
  // A beginning is a whole address, or ends with a slash.
  for (std::size_t end = url.size(); end != 0; end = url.rfind('/', end - 2) + 1) {
    const auto found = group_of_.find(url.substr(0, end));
    if (found != group_of_.end()) return Match{found->second, url.substr(end)};
    if (end == 1) break;
  }
  return std::nullopt;
}

std::vector<std::string> AlternativeAddresses::all_of(const std::string& url) const {
  std::vector<std::string> all{url};
  const auto match = find(url);
  if (!match) return all;
  for (const std::string& beginning : groups_[match->group]) {
    std::string other = beginning + match->rest;
    if (other != url) all.push_back(std::move(other));
  }
  return all;
}

}  // namespace tributary
