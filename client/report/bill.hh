#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/costs/link_cost.hh"
#include "report/free_alone.hh"
#include "report/session_record.hh"

namespace tributary {

/// Use of the spared links in a session, and its benefit. Definitions: docs/metrics.md.
struct Bill {
  struct Entry {
    std::string link;
    LinkCost cost;
    DataSize bytes;
    double money = 0, money_if_equal = 0;
    DataSize bytes_if_equal;
  };

  std::vector<Entry> entries;  // every link of the session
  DataSize spared_bytes;       // over spared links
  DataSize free_bytes_used;    // over free links, without those that came in vain
  double money = 0;
  /// If all links had been used alike, each by its rate; nothing if a spared link was never measured, or if all links
  /// cost the same.
  std::optional<DataSize> spared_bytes_if_equal;
  std::optional<double> money_if_equal;
  /// Distinct bytes that the free links leave at their rate, under any scheduler (CATS, equation 14).
  DataSize least_spared_bytes;
  double share = 0;  // spared bytes by all received bytes: at most this share of the bit rate is due to spared links
  std::optional<WaitingAverted> waiting_averted;
};

/// Nothing if all links are free.
std::optional<Bill> bill_of(const SessionRecord& record, const SessionOptions& options);

nlohmann::ordered_json bill_json(const Bill& bill);
/// Some lines, for people.
std::string bill_text(const Bill& bill);

}  // namespace tributary
