#include "proxy/server/peer_user.hh"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace tributary::proxy {
namespace {

using boost::asio::ip::tcp;

constexpr int kLooks = 3;  // the list may lack a line while others in it go

template <typename Bytes>
std::string in_words(const Bytes& bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    text += fmt::format("{:08X}", word);
  }
  return text;
}

/// As the system writes it: the words of the address as numbers of this machine.
std::string listed(const tcp::endpoint& end) {
  const auto address = end.address();
  return fmt::format("{}:{:04X}",
                     address.is_v4() ? in_words(address.to_v4().to_bytes()) : in_words(address.to_v6().to_bytes()),
                     end.port());
}

std::optional<uid_t> look(const char* list, const std::string& from, const std::string& to) {
  std::ifstream lines{list};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    std::string number, local, remote, other;
    words >> number >> local >> remote;
    if (local != from || remote != to) continue;
    for (int i = 0; i < 4; ++i) words >> other;  // state, queues, timer, retransmissions
    uid_t user = 0;
    std::uint64_t timeouts = 0, inode = 0;
    words >> user >> timeouts >> inode;
    // A closed end has no inode, and counts as root's.
    return words && inode != 0 ? std::optional{user} : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uid_t> user_of_peer(const tcp::endpoint& peer, const tcp::endpoint& own) {
  const char* const list = peer.address().is_v4() ? "/proc/net/tcp" : "/proc/net/tcp6";
  for (int i = 0; i < kLooks; ++i) {
    if (const auto user = look(list, listed(peer), listed(own))) return user;
  }
  return std::nullopt;
}

}  // namespace tributary::proxy
