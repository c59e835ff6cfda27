#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace tributary::segmenter {

/// What a program has said with --json.
struct JsonEvents {
  std::map<std::string, int> counts;  // by kind
  nlohmann::json first, last;
};

/// Throws if a line is no JSON.
inline JsonEvents events_in(const std::string& text) {
  JsonEvents events;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    events.last = nlohmann::json::parse(line);
    if (events.counts.empty()) events.first = events.last;
    ++events.counts[events.last.at("event").get<std::string>()];
  }
  return events;
}

}  // namespace tributary::segmenter
