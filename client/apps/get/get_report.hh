#pragma once

#include <string>
#include <vector>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The figures of one download.
struct GetReport {
  struct Link {
    std::string name;
    DataSize bytes;
    std::uint64_t requests = 0, failures = 0;
  };

  std::string url, file;
  bool complete = false;
  bool ranges = false;  // the object came in ranges, not in one piece
  DataSize bytes;       // that came in this run
  DataSize resumed;     // that an earlier run had brought
  Duration time{};      // from the first question to the end
  std::vector<Link> links;
};

/// An object in one line, with a line's end.
std::string to_json(const GetReport& report);
/// For people.
std::string to_text(const GetReport& report);

}  // namespace tributary
