#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "accounts/link_terms.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Decides which links a tunnel uses: all that are free, and one that costs something as long as none of the free ones
/// answers; another one if that does not answer, either. Backups come first, then metered links, then those that cost
/// money, the cheapest first.
class StandbyLinks {
 public:
  struct Link {
    std::string name;
    LinkTerms terms;
    bool usable = false;   // the system has it, and a route
    bool allowed = true;   // bytes of its cap are left
    bool answers = false;  // the relay answers over it
  };

  /// The names of those to be used now.
  std::set<std::string> choose(std::span<const Link> links, TimePoint now);
  /// When to choose again, if nothing changes before.
  std::optional<TimePoint> next_deadline() const { return next_; }

 private:
  static constexpr Duration kPatience = std::chrono::seconds{1};  // for a free link to answer
  static constexpr Duration kTry = std::chrono::seconds{3};       // for one that costs something
  static constexpr Duration kCalm = std::chrono::seconds{10};     // a free link answers for good

  bool is_needed(std::span<const Link> links, TimePoint now);

  std::optional<TimePoint> none_answers_since_, one_answers_since_;
  std::map<std::string, TimePoint> tried_since_;  // those that cost something and are in use
  std::optional<TimePoint> next_;
};

}  // namespace tributary
