#include "tunnel/machine/key_file.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>

#include "bonding/handshake/key_text.hh"
#include "system/fed_command.hh"
#include "system/file_descriptor.hh"
#include "tunnel/machine/key_entries.hh"

namespace tributary {
namespace {

constexpr const char *kPrivate = "private-key", *kPairing = "pairing-secret", *kName = "name",
                     *kRelay = "relay-public-key", *kShared = "shared-secret";
constexpr std::size_t kMostText = 4096;

[[noreturn]] void fail(const std::string& path) { throw std::system_error(errno, std::generic_category(), path); }

/// systemd keeps others out of the folder of a service's credentials. The bits of files in it are those of a list of who may
/// read them (ACL), or not even that.
bool is_credential(const std::string& path) {
  const char* const folder = std::getenv("CREDENTIALS_DIRECTORY");
  return folder != nullptr && std::filesystem::path{path}.parent_path() == folder;
}

std::string text_of_secret(const std::string& path) {
  const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.is_open()) fail(path);
  struct stat state {};
  if (::fstat(file.get(), &state) != 0) fail(path);
  if ((state.st_mode & 077) != 0 && S_ISREG(state.st_mode) && !is_credential(path))
    throw std::runtime_error{fmt::format("{}: other users can read the key (chmod 600 {})", path, shell_quoted(path))};
  std::string text(kMostText, '\0');
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  if (size < 0) fail(path);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

/// Each of these words once, and no others.
class Keys {
 public:
  Keys(const std::string& path, KeyFileKind kind, const std::vector<const char*>& words) : path_{path} {
    for (const KeyEntry& entry : read_key_entries(path, text_of_secret(path), kind)) {
      if (std::ranges::find(words, entry.word) == words.end())
        refuse_key_line(path, entry.line, fmt::format("expected one of: {}", fmt::join(words, ", ")));
      if (!entries_.emplace(entry.word, entry).second)
        refuse_key_line(path, entry.line, entry.word + " is there twice");
    }
    for (const char* word : words) {
      if (!entries_.contains(word)) throw std::runtime_error{fmt::format("{}: there is no {}", path, word)};
    }
  }

  bonding::Secret<bonding::kKeySize> secret(const char* word) const {
    return checked(word, bonding::key_from_text(entries_.at(word).value));
  }
  bonding::PublicKey public_key(const char* word) const {
    return checked(word, bonding::public_key_from_text(entries_.at(word).value));
  }

 private:
  template <typename Key>
  Key checked(const char* word, const std::optional<Key>& key) const {
    if (!key) refuse_key_line(path_, entries_.at(word).line, fmt::format("{} is no key: expected 43 characters", word));
    return *key;
  }

  std::string path_;
  std::map<std::string, KeyEntry, std::less<>> entries_;
};

void write_new(const std::string& path, const std::string& text) {
  FileDescriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
  if (!file.is_open()) fail(path);
  errno = EIO;
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::close(file.release()) != 0) {
    const int error = errno;
    ::unlink(path.c_str());
    errno = error;
    fail(path);
  }
}

}  // namespace

bonding::RelayIdentity read_relay_key(const std::string& path) {
  const Keys keys{path, KeyFileKind::kRelayKey, {kPrivate, kPairing}};
  return {bonding::KeyPair{keys.secret(kPrivate)}, keys.secret(kPairing)};
}

bonding::ClientIdentity read_client_key(const std::string& path) {
  const Keys keys{path, KeyFileKind::kClientKey, {kName, kPrivate, kRelay, kShared}};
  return {bonding::KeyPair{keys.secret(kPrivate)}, keys.public_key(kRelay), keys.secret(kShared)};
}

void write_relay_key(const std::string& path, const bonding::RelayIdentity& identity) {
  write_new(path, fmt::format(
                      "{}{} {}\n{} {}\n",
                      key_file_begin(KeyFileKind::kRelayKey, "The key of a relay of Tributary. It stays on the relay."),
                      kPrivate, bonding::key_text(identity.own.private_key().bytes()), kPairing,
                      bonding::key_text(identity.pairing.bytes())));
}

void write_client_key(const std::string& path, const std::string& name, const bonding::ClientIdentity& identity) {
  const std::string begin =
      key_file_begin(KeyFileKind::kClientKey, "The key of one client of a relay of Tributary, for one machine.");
  write_new(path, fmt::format("{}{} {}\n{} {}\n{} {}\n{} {}\n", begin, kName, name, kPrivate,
                              bonding::key_text(identity.own.private_key().bytes()), kRelay,
                              bonding::key_text(identity.relay), kShared, bonding::key_text(identity.shared.bytes())));
}

}  // namespace tributary
