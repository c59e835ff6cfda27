#include "link_check/set_up/link_changes_made.hh"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

namespace tributary {
namespace {

bool contains(const std::vector<SetUpStep>& steps, const SetUpStep& step) {
  return std::ranges::find(steps, step.command, &SetUpStep::command) != steps.end();
}

}  // namespace

void LinkChangesMade::undo(const std::string& link, const SetUpStep& step, bool link_is_there) {
  if (step.runs_on) {
    world_.end(link, step.command);
  } else if (!step.undo.empty() && (link_is_there || !step.goes_with_link)) {
    world_.undo(link, step.undo);
  }
}

bool LinkChangesMade::take(const std::string& link, const SetUpStep& step) {
  std::vector<SetUpStep>& taken = taken_[link];
  taken.push_back(step);
  world_.note(undoing());
  if (step.runs_on ? world_.start(link, step.command) : world_.run(link, step.command)) return true;
  taken.pop_back();
  failed_[link].push_back(step);
  return false;
}

bool LinkChangesMade::undo_unwanted(const std::string& link, const std::vector<SetUpStep>& wanted, bool link_is_there) {
  std::vector<SetUpStep>& taken = taken_[link];
  bool changed = false;
  for (std::size_t i = taken.size(); i-- > 0;) {
    if (contains(wanted, taken[i])) continue;
    undo(link, taken[i], link_is_there);
    taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(i));
    changed = true;
  }
  return changed;
}

void LinkChangesMade::remember_address(const LinkToSetUp& link) {
  const std::set<std::string>& addresses = link.state.ipv4.addresses;
  const bool by_dhcp = std::ranges::any_of(taken_[link.state.name], &SetUpStep::runs_on);
  if (!by_dhcp || addresses.empty()) return;
  const std::string& address = *addresses.begin();
  last_addresses_[link.state.name] = address.substr(0, address.find('/'));
}

bool LinkChangesMade::links_are(const std::map<std::string, LinkToSetUp>& links) {
  bool changed = false;
  for (const auto& link : taken_ | std::views::keys) {
    if (!links.contains(link)) {
      changed |= undo_unwanted(link, {}, false);
      failed_.erase(link);
    }
  }
  for (auto [name, link] : links) {
    remember_address(link);
    if (const auto last = last_addresses_.find(name); last != last_addresses_.end()) link.last_address = last->second;
    std::vector<SetUpStep>& failed = failed_[name];
    const std::vector<SetUpStep> wanted = wanted_steps(link, taken_[name]);
    changed |= undo_unwanted(name, wanted, true);
    // Once more when it is wanted anew.
    std::erase_if(failed, [&](const SetUpStep& step) { return !contains(wanted, step); });
    for (const SetUpStep& step : wanted) {
      if (contains(taken_[name], step) || contains(failed, step)) continue;
      changed |= take(name, step);
    }
  }
  return changed;
}

void LinkChangesMade::ended(const Command& service) {
  for (auto& [link, steps] : taken_) {
    const auto found = std::ranges::find(steps, service, &SetUpStep::command);
    if (found == steps.end()) continue;
    failed_[link].push_back(*found);
    steps.erase(found);
    return;
  }
}

void LinkChangesMade::put_back() {
  for (const auto& link : taken_ | std::views::keys) undo_unwanted(link, {}, true);
  world_.note({});
}

std::vector<Command> LinkChangesMade::undoing() const {
  std::vector<Command> commands;
  for (const auto& steps : taken_ | std::views::values) {
    for (const SetUpStep& step : steps | std::views::reverse) {
      if (!step.undo.empty()) commands.push_back(step.undo);
    }
  }
  return commands;
}

}  // namespace tributary
