#include "proxy/requests/access_token.hh"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

namespace tributary::proxy {

std::string new_access_token() {
  std::array<unsigned char, 16> random{};
  if (::getentropy(random.data(), random.size()) != 0) {
    throw std::system_error{errno, std::generic_category(), "random numbers for the address of the proxy"};
  }
  std::string token;
  for (const unsigned char byte : random) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

bool is_same_token(std::string_view expected, std::string_view given) {
  volatile unsigned difference = expected.size() == given.size() ? 0 : 1;  // volatile: no early end is compiled
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const char other = i < given.size() ? given[i] : '\0';
    difference = difference | static_cast<unsigned>(static_cast<unsigned char>(expected[i] ^ other));
  }
  return difference == 0;
}

}  // namespace tributary::proxy
