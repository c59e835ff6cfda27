#pragma once

#include <string>
#include <string_view>

namespace tributary::proxy {

/// 128 random bits in hexadecimal: who knows it may use the proxy. Throws std::system_error if the system has no random
/// numbers.
std::string new_access_token();

/// Takes as long for texts that differ early as for those that differ late, so that nobody can guess a token digit by
/// digit.
bool is_same_token(std::string_view expected, std::string_view given);

}  // namespace tributary::proxy
