#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "units/data_rate.hh"
#include "units/data_size.hh"

namespace tributary::lending {

/// What a lender tells a member of the uplink, in one line, as often as it changes and at least each second.
struct LenderStatus {
  std::string name;                    // as the lender calls itself
  bool lends = true;                   // something can be borrowed now
  std::string why{};                   // if not: the end of "NAME does not lend: "
  std::optional<DataSize> left{};      // that the member may still use today; nothing: any number of bytes
  std::optional<DataSize> each_day{};  // that it may use; nothing: any number
  bool public_only = true;             // addresses that are not public cannot be reached

  bool operator==(const LenderStatus&) const = default;
};

/// JSON without line breaks.
std::string status_line(const LenderStatus& status);
/// Nothing for what is none. Texts are as they were sent: they are for people, and are printed with care.
std::optional<LenderStatus> read_status_line(std::string_view line);

inline constexpr std::uint16_t kLendingPort = 7118;
inline constexpr const char* kStatusPath = "/lending";
inline constexpr const char* kPairPath = "/lending/pair";
inline constexpr const char* kProofPath = "/lending/proof";
/// The field in which a borrower tells the gateways of its own links ("192.168.1.1, fe80::1"), so that nobody lends what
/// the other has already.
inline constexpr const char* kGatewaysField = "Tributary-Gateways";

}  // namespace tributary::lending
