#include "tunnel/standby_links.hh"

#include <algorithm>
#include <tuple>
#include <vector>

namespace tributary {
namespace {

bool is_free(const StandbyLinks::Link& link) { return !is_spared(link.terms.kind); }
bool can_be_used(const StandbyLinks::Link& link) { return link.usable && link.allowed; }

}  // namespace

bool StandbyLinks::is_needed(std::span<const Link> links, TimePoint now) {
  const bool there = std::ranges::any_of(links, [](const Link& link) { return is_free(link) && can_be_used(link); });
  const bool answers =
      std::ranges::any_of(links, [](const Link& link) { return is_free(link) && can_be_used(link) && link.answers; });
  if (answers) {
    none_answers_since_.reset();
    if (!one_answers_since_) one_answers_since_ = now;
    const TimePoint calm = *one_answers_since_ + kCalm;
    if (tried_since_.empty() || now >= calm) return false;
    next_ = calm;
    return true;
  }
  one_answers_since_.reset();
  if (!none_answers_since_) none_answers_since_ = now;
  const TimePoint needed_at = there ? *none_answers_since_ + kPatience : now;
  if (tried_since_.empty() && now < needed_at) {
    next_ = needed_at;
    return false;
  }
  return true;
}

std::set<std::string> StandbyLinks::choose(std::span<const Link> links, TimePoint now) {
  next_.reset();
  std::set<std::string> chosen;
  std::vector<const Link*> others;
  for (const Link& link : links) {
    if (!can_be_used(link)) continue;
    if (is_free(link)) {
      chosen.insert(link.name);
    } else {
      others.push_back(&link);
    }
  }
  if (!is_needed(links, now)) {
    tried_since_.clear();
    return chosen;
  }
  std::ranges::stable_sort(others, {}, [](const Link* link) {
    return std::tuple{static_cast<int>(link->terms.kind), link->terms.price_per_mb};
  });
  std::erase_if(tried_since_, [&](const auto& tried) {
    return std::ranges::none_of(others, [&](const Link* link) { return link->name == tried.first; });
  });
  for (const Link* link : others) {
    chosen.insert(link->name);
    const TimePoint since = tried_since_.try_emplace(link->name, now).first->second;
    if (link->answers) break;
    if (now < since + kTry) {
      next_ = std::min(next_.value_or(since + kTry), since + kTry);
      break;
    }
  }
  std::erase_if(tried_since_, [&](const auto& tried) { return !chosen.contains(tried.first); });
  return chosen;
}

}  // namespace tributary
