#pragma once

#include <map>
#include <string>
#include <vector>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

enum class MemberId : std::uint32_t {};

/// A link that a member lends, as that member measured it.
struct LentLink {
  std::string name;
  DataRate rate;
  Duration delay{};  // to the proxy, one way
  double loss = 0;   // fraction of packets
  double cost = 0;   // of a megabyte, in the community's unit

  bool operator==(const LentLink&) const = default;
};

/// What a member tells the community of itself (MC², section IV: R_l).
struct LocalReport {
  MemberId member{};
  TimePoint stated_at{};  // by the member's clock, which is compared with no other
  std::vector<LentLink> links{};
  double energy = 1;  // fraction of a full battery
  bool leaves = false;

  bool operator==(const LocalReport&) const = default;
};

/// What one knows of all members: for each the newest of its reports, until nothing newer has come for some time.
class CommunityDatabase {
 public:
  explicit CommunityDatabase(Duration kept_for) : kept_for_{kept_for} {}

  /// False: it was not newer than what is known.
  bool take_in(const LocalReport& report, TimePoint now);
  /// In the order of their ids, without those that leave.
  std::vector<LocalReport> members(TimePoint now) const;

 private:
  struct Entry {
    LocalReport report;
    TimePoint came{};
  };
  Duration kept_for_;
  std::map<MemberId, Entry> entries_;
};

}  // namespace tributary::bonding
