#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/costs/link_cost.hh"
#include "report/free_alone.hh"
#include "report/session_record.hh"

namespace tributary {

/// What a session used of links that cost something, and what that was good for. Definitions: docs/metrics.md.
struct Bill {
  struct Entry {
    std::string link;
    LinkCost cost;
    DataSize bytes;
    double money = 0, money_if_equal = 0;
    DataSize bytes_if_equal;
  };

  std::vector<Entry> entries;  // every link of the session
  DataSize spared_bytes;       // over links that are not free
  double money = 0;
  /// If all links had been used alike, each by its rate; nothing if a link that costs something was never measured.
  std::optional<DataSize> spared_bytes_if_equal;
  std::optional<double> money_if_equal;
  /// What the free links leave at their rate, whoever schedules (CATS, equation 14).
  DataSize least_spared_bytes;
  double share = 0;  // of all bytes that came: no more of the bit rate can be owed to links that cost something
  std::optional<WaitingAverted> waiting_averted;
};

/// Nothing if all links are free.
std::optional<Bill> bill_of(const SessionRecord& record, const SessionOptions& options);

nlohmann::ordered_json bill_json(const Bill& bill);
/// A few lines, for people.
std::string bill_text(const Bill& bill);

}  // namespace tributary
