#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "bonding/wire/secret.hh"
#include "lending/cpace.hh"

namespace tributary::lending {

/// What a member of the community is known by: the SHA-256 of its public key (as RFC 7469 pins keys).
using MemberKey = std::array<std::byte, 32>;

/// Six digits, from the system's source of randomness.
std::string new_pairing_code();
/// "123456", also with blanks or a dash between the digits. Nothing for any other text.
std::optional<std::string> read_pairing_code(std::string_view text);

/// One side of pairing: two machines learn that the people before them know the same code, and that nobody stands between
/// them. The borrower begins; each sends its share, then the borrower its proof, and the lender its own only if that is
/// right. So whoever does not know the code can try one with each pairing, and both sides notice.
class Pairing {
 public:
  enum class Side { kBorrower, kLender };
  using SessionId = std::array<std::byte, 16>;
  using Proof = bonding::Secret<crypto_auth_hmacsha512_BYTES>;

  /// Both ends of the encrypted connection, as each of them sees it.
  struct Ends {
    MemberKey borrower, lender;
  };
  /// `session`: chosen by the borrower for this pairing alone.
  Pairing(Side side, std::string_view code, const Ends& ends, const SessionId& session);

  static SessionId new_session();
  const Cpace::Share& share() const { return exchange_.share(); }
  /// To be called once the share of the other side is there, before what follows. False: nobody makes such a share who
  /// keeps to the protocol.
  bool take_share(const Cpace::Share& other);
  /// What shows the other side that this one knows the code.
  Proof own_proof() const { return proof_of(side_); }
  /// Whether the other side knows it.
  bool is_proved_by(const Proof& other) const;

 private:
  Proof proof_of(Side side) const;

  Side side_;
  Cpace exchange_;
  Cpace::Key key_;
};

}  // namespace tributary::lending
