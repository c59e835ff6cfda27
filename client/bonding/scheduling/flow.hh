#pragma once

#include "bonding/wire/bytes.hh"

namespace tributary::bonding {

/// Inner packets with the same addresses, protocol and ports have the same flow. It is a hash: different flows may share it.
enum class Flow : std::uint32_t {};

}  // namespace tributary::bonding
