#pragma once

#include <string>
#include <vector>

#include "simulation/scenario.hh"

namespace tributary::community::testing {

/// As many links as losses, of the same rate.
std::vector<LinkScenario> lossy_links(const std::string& rate, const std::vector<double>& losses);

struct Phase {
  double loss;
  int seconds;
};
/// Links of the same rate; the loss of each goes through all phases again and again until `length` seconds, each link `shift` seconds
/// before the one after it.
std::vector<LinkScenario> cycling_links(const std::string& rate, int count, const std::vector<Phase>& phases, int shift,
                                        int length);

/// Links of the same rate; the last `transient` are there for the first `up` seconds of every `period`, until `length`.
std::vector<LinkScenario> transient_links(const std::string& link, int persistent, int transient, int up, int period,
                                          int length);

}  // namespace tributary::community::testing
