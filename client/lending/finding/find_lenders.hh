#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lending/pairing.hh"
#include "units/session_clock.hh"

namespace tributary::lending {

struct FoundLender {
  std::string name;  // as it calls itself
  MemberKey key{};
  std::vector<std::string>
      addresses{};  // "192.0.2.1:7118", of those who show this key: some, in the order in which they came
};

/// Those who say by multicast DNS (Avahi) that they lend, within this time. What they say is not to be believed: the key is
/// shown by the connection. `goes_on`: is asked now and then; false ends the search. Empty also where there is no Avahi.
std::vector<FoundLender> find_lenders(
    Duration time, const std::function<bool()>& goes_on = [] { return true; });

}  // namespace tributary::lending
