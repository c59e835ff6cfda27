#include "lending/identity/peers.hh"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bonding/handshake/key_text.hh"
#include "presentation/json/json_node.hh"
#include "system/open_file.hh"
#include "system/state_files.hh"

namespace tributary::lending {
namespace {

constexpr int kVersion = 1;
constexpr std::size_t kMostName = 32;

bool may_stand_in_name(unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; }

Peer read_peer(const JsonNode& node) {
  Peer peer{.name = node.member("name").text()};
  if (!is_peer_name(peer.name)) node.member("name").refuse("expected letters, digits, \"_\", \".\" and \"-\"");
  const auto key = bonding::key_from_text(node.member("key").text());
  if (!key) node.member("key").refuse("expected a key: 43 characters of base64url");
  std::ranges::copy(key->bytes(), peer.key.begin());
  if (const auto address = node.find("address")) peer.address = address->text();
  if (const auto agreed = node.find("agreed")) peer.agreed = agreed->boolean();
  return peer;
}

bool has_name(const std::vector<Peer>& peers, const std::string& name) {
  return std::ranges::find(peers, name, &Peer::name) != peers.end();
}

std::string free_name(const std::vector<Peer>& peers, const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; has_name(peers, name); ++number) name = fmt::format("{}-{}", wanted, number);
  return name;
}

}  // namespace

bool is_peer_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostName && std::ranges::all_of(name, may_stand_in_name) && name[0] != '.' &&
         name[0] != '-';
}

std::string as_peer_name(std::string_view name) {
  std::string result{name.substr(0, kMostName)};
  std::ranges::replace_if(
      result, [](unsigned char c) { return !may_stand_in_name(c); }, '-');
  result.erase(0, result.find_first_not_of(".-"));
  return result.empty() ? "somebody" : result;
}

std::string own_peer_name() {
  std::array<char, 256> name{};
  (void)::gethostname(name.data(), name.size() - 1);
  return as_peer_name(name.data());
}

PeersFile::PeersFile(std::filesystem::path folder, Of which)
    : folder_{std::move(folder)},
      path_{folder_ / (which == Of::kMembers ? "members.json" : "lenders.json")},
      format_{which == Of::kMembers ? "tributary-members" : "tributary-lenders"} {}

std::vector<Peer> PeersFile::read() const {
  const auto text = text_of_file(path_);
  std::vector<Peer> peers;
  if (!text) return peers;
  try {
    const nlohmann::json document = parse_json(*text);
    const JsonNode root{document, ""};
    root.expect_format(format_, kVersion);
    const JsonNode list = root.member("peers");
    for (std::size_t i = 0; i < list.size(); ++i) {
      Peer peer = read_peer(list.element(i));
      if (has_name(peers, peer.name)) list.element(i).refuse(fmt::format("{} is there twice", peer.name));
      peers.push_back(std::move(peer));
    }
  } catch (const JsonError& error) {
    throw std::runtime_error{fmt::format("{}: {}", path_.string(), error.what())};
  }
  return peers;
}

void PeersFile::write(const std::vector<Peer>& peers) const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Peer& peer : peers) {
    nlohmann::ordered_json entry{{"name", peer.name}, {"key", bonding::key_text(peer.key)}};
    if (!peer.address.empty()) entry.update({{"address", peer.address}, {"agreed", peer.agreed}});
    list.push_back(std::move(entry));
  }
  const nlohmann::ordered_json document{{"format", format_}, {"version", kVersion}, {"peers", std::move(list)}};
  replace_file(path_, document.dump(2) + '\n');
}

std::string PeersFile::add(Peer peer) const {
  OpenFile lock{lock_path(folder_, "peers"), O_RDWR | O_CREAT};
  lock.lock();
  std::vector<Peer> peers = read();
  const auto known = std::ranges::find(peers, peer.key, &Peer::key);
  if (known != peers.end()) {
    peer.name = known->name;
    *known = peer;
  } else {
    peer.name = free_name(peers, as_peer_name(peer.name));
    peers.push_back(peer);
  }
  write(peers);
  return peer.name;
}

bool PeersFile::move(const MemberKey& peer, const std::string& address) const {
  OpenFile lock{lock_path(folder_, "peers"), O_RDWR | O_CREAT};
  lock.lock();
  std::vector<Peer> peers = read();
  const auto known = std::ranges::find(peers, peer, &Peer::key);
  if (known == peers.end() || known->address == address) return false;
  known->address = address;
  write(peers);
  return true;
}

bool PeersFile::remove(const std::string& name) const {
  OpenFile lock{lock_path(folder_, "peers"), O_RDWR | O_CREAT};
  lock.lock();
  std::vector<Peer> peers = read();
  if (std::erase_if(peers, [&](const Peer& peer) { return peer.name == name; }) == 0) return false;
  write(peers);
  return true;
}

}  // namespace tributary::lending
