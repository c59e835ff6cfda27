#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "lending/identity/identity.hh"
#include "lending/identity/lender_status.hh"

namespace tributary::lending {

/// Asks a lender for its status, and hands on what it tells until the connection ends, or is silent for some seconds, or
/// `stop`. Returns why it has ended. `gateways`: of our own links, as the field has them.
std::string stream_status(const std::string& address, const MemberKey& lender, const Identity& own,
                          const std::string& gateways, const std::stop_token& stop,
                          const std::function<void(const LenderStatus&)>& tell);

}  // namespace tributary::lending
