#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/named_enum.hh"
#include "units/data_size.hh"

namespace tributary {

/// The kind of cost that a link has for its user.
enum class CostKind {
  kFree,     // nothing
  kLent,     // nothing to its user: somebody else's link, which may bring what that allows
  kBackup,   // no counted cost, but to be spared
  kMetered,  // its bytes count against a cap
  kPaid,     // money for each byte
};

inline std::span<const std::string_view> names_of(CostKind) {
  static constexpr std::array<std::string_view, 5> kNames{"free", "lent", "backup", "metered", "paid"};
  return kNames;
}

/// Links of this kind are used only for what the others cannot bring in time.
constexpr bool is_spared(CostKind kind) { return kind != CostKind::kFree && kind != CostKind::kLent; }

/// The cost of a link, and how many of its bytes a session may use.
struct LinkCost {
  CostKind kind = CostKind::kFree;
  double price_per_mb = 0;            // of 1000000 bytes, in whatever currency the user counts
  std::optional<DataSize> allowed{};  // bytes that may be requested in all; nothing: any number
  std::string why_not_more{};         // as the end of "wwan0: ..."; empty: more may be allowed in a moment
  std::optional<DataSize> cap{};      // the cap against which its bytes count, if known
  DataSize used_before{};             // of the cap, without this session

  bool spared() const { return is_spared(kind); }
  bool operator==(const LinkCost&) const = default;
};

}  // namespace tributary
