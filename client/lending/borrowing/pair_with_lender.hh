#pragma once

#include <stdexcept>
#include <string>

#include "lending/identity/identity.hh"
#include "lending/identity/peers.hh"

namespace tributary::lending {

/// Why a pairing failed, as a sentence for the one who typed the code.
class PairingFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Pairs with the lender at "HOST:PORT" by the code that it shows. Throws PairingFailed. Nothing is written.
Peer pair_with_lender(const std::string& address, const std::string& code, const Identity& own,
                      const std::string& own_name);

}  // namespace tributary::lending
