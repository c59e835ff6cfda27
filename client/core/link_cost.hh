#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "units/data_size.hh"

namespace tributary {

/// What using a link costs its user.
enum class CostKind {
  kFree,     // nothing
  kBackup,   // nothing that is counted, but it is to be spared
  kMetered,  // its bytes count against a cap
  kPaid,     // money for each byte
};

/// "free", "backup", "metered", "paid"
constexpr std::string_view name_of(CostKind kind) {
  constexpr std::array<std::string_view, 4> kNames{"free", "backup", "metered", "paid"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// What is known of a link's cost, and how much of it a session may use.
struct LinkCost {
  CostKind kind = CostKind::kFree;
  double price_per_mb = 0;            // of 1000000 bytes, in whatever currency the user counts
  std::optional<DataSize> allowed{};  // so many bytes may be requested in all; nothing: any number
  std::string why_not_more{};         // as the end of "wwan0: ..."; empty: more may be allowed in a moment
  std::optional<DataSize> cap{};      // that its bytes count against, if that is known
  DataSize used_before{};             // of the cap, without this session

  bool spared() const { return kind != CostKind::kFree; }
  bool operator==(const LinkCost&) const = default;
};

}  // namespace tributary
