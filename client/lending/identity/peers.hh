#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lending/pairing.hh"

namespace tributary::lending {

/// Somebody we are paired with.
struct Peer {
  std::string name;       // ours for it
  MemberKey key{};        // of its certificate
  std::string address{};  // of a lender: "192.0.2.1:7118", where it was last
  bool agreed = false;    // of a lender: our user wants its link to be used
};

/// Those we are paired with, in a file: FOLDER/members.json for those who may borrow from us, FOLDER/lenders.json for those
/// who lend to us. Programs that run read it again when it changes. Functions throw std::runtime_error that names the file,
/// and the place in it.
class PeersFile {
 public:
  enum class Of { kMembers, kLenders };
  PeersFile(std::filesystem::path folder, Of which);

  const std::filesystem::path& path() const { return path_; }
  std::vector<Peer> read() const;
  /// Adds it, or, for a known key, changes what is known of it. Another one of its name gets "NAME-2". Returns the name.
  std::string add(Peer peer) const;
  /// Its address now. False: it is not there any more, or has this address already.
  bool move(const MemberKey& peer, const std::string& address) const;
  /// False: there is none of this name.
  bool remove(const std::string& name) const;

 private:
  void write(const std::vector<Peer>& peers) const;

  std::filesystem::path folder_, path_;
  std::string_view format_;
};

/// A name that can stand in command lines and as that of a link: letters, digits, "_", "." and "-". What others call
/// themselves is made one.
bool is_peer_name(std::string_view name);
std::string as_peer_name(std::string_view name);
/// That of this machine, as one.
std::string own_peer_name();

}  // namespace tributary::lending
