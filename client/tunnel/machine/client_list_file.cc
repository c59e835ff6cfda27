#include "tunnel/machine/client_list_file.hh"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

#include "bonding/handshake/key_text.hh"
#include "system/state_files.hh"
#include "tunnel/machine/key_entries.hh"
#include "tunnel/machine/key_file.hh"

namespace tributary {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostName = 32;

bool is_name(const std::string& name) {
  const bool known = std::ranges::all_of(
      name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; });
  return !name.empty() && name.size() <= kMostName && known && name[0] != '.' && name[0] != '-';
}

using ByName = std::map<std::string, bonding::PublicKey>;

ByName by_name(const bonding::ClientList& clients) {
  ByName named;
  for (const auto& [key, name] : clients) named.emplace(name, key);
  return named;
}

void write(const std::string& path, const ByName& clients) {
  std::string text = key_file_begin(KeyFileKind::kClients, "Who may use the relay: a name and a public key each.");
  for (const auto& [name, key] : clients) text += fmt::format("{} {}\n", name, bonding::key_text(key));
  replace_file(path, text, Kept::kOnDisk, Readable::kForAll);
}

/// Nobody else changes the list meanwhile.
OpenFile locked(const std::string& path) {
  const fs::path list = fs::absolute(path);
  OpenFile lock{lock_path(list.parent_path(), list.filename().string()), O_RDWR | O_CREAT};
  lock.lock();
  return lock;
}

}  // namespace

bonding::ClientList read_client_list(const std::string& path) {
  const auto text = text_of_file(path);
  bonding::ClientList clients;
  if (!text) return clients;
  std::map<std::string, int> lines;
  for (const KeyEntry& entry : read_key_entries(path, *text, KeyFileKind::kClients)) {
    if (!is_name(entry.word))
      refuse_key_line(path, entry.line, "expected a name of letters, digits, \"_\", \".\" and \"-\"");
    const auto key = bonding::public_key_from_text(entry.value);
    if (!key) refuse_key_line(path, entry.line, "expected a public key: 43 characters behind the name");
    if (!lines.emplace(entry.word, entry.line).second)
      refuse_key_line(path, entry.line, entry.word + " is there twice");
    const auto [before, is_new] = clients.emplace(*key, entry.word);
    if (!is_new) refuse_key_line(path, entry.line, fmt::format("this is the key of {}", before->second));
  }
  return clients;
}

void add_client(const std::string& path, const bonding::RelayIdentity& relay, const std::string& name,
                const std::string& key_path) {
  if (!is_name(name))
    throw std::invalid_argument{fmt::format(
        "\"{}\": expected the name of a client: up to {} letters, digits, \"_\", \".\" and \"-\"", name, kMostName)};
  const OpenFile lock = locked(path);
  ByName clients = by_name(read_client_list(path));
  const bonding::ClientIdentity made = relay.new_client();
  if (!clients.emplace(name, made.own.public_key()).second)
    throw std::invalid_argument{
        fmt::format("\"{}\": there is a client of this name (--remove-client removes it)", name)};
  write_client_key(key_path, name, made);
  try {
    write(path, clients);
  } catch (...) {
    fs::remove(key_path);
    throw;
  }
}

void remove_client(const std::string& path, const std::string& name) {
  const OpenFile lock = locked(path);
  ByName clients = by_name(read_client_list(path));
  if (clients.erase(name) == 0)
    throw std::invalid_argument{
        fmt::format("\"{}\": there is no such client in {} (--clients lists them)", name, path)};
  write(path, clients);
}

}  // namespace tributary
