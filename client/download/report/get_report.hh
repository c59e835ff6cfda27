#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/bill.hh"
#include "report/session_record.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The figures of one download.
struct GetReport {
  struct Link {
    std::string name;
    DataSize bytes;
    std::uint64_t requests = 0, failures = 0;
    std::uint32_t connections = 1;  // the most at a time
  };

  std::string url, file;
  std::optional<std::string> quality;  // of a title
  bool complete = false;
  bool ranges = false;  // the object came in ranges, not in one piece
  DataSize bytes;       // that came in this run
  DataSize resumed;     // that an earlier run had brought
  Duration time{};      // from the first question to the end
  std::vector<Link> links;
  std::optional<Bill> bill;  // where some link costs something
};

/// Adds what the links of a session brought, and its bill.
void add_links(GetReport& report, const SessionRecord& record);
/// Adds the bytes that a link brought beside the session.
void add_beside(GetReport& report, const std::string& link, DataSize bytes);

/// An object in one line, with a line's end.
std::string to_json(const GetReport& report);
/// For people.
std::string to_text(const GetReport& report);

}  // namespace tributary
