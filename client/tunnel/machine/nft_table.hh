#pragma once

#include <string>

namespace tributary {

/// A table of nftables of our own, "inet NAME", in the namespace of the calling thread. It goes with the object; what a
/// killed program left goes when the next one makes its table.
class NftTable {
 public:
  /// `chains`: what stands within its braces. Throws std::runtime_error if the system refuses them; `otherwise` says what
  /// the user can do then.
  NftTable(std::string name, const std::string& chains, const std::string& otherwise);
  ~NftTable();
  NftTable(const NftTable&) = delete;
  NftTable& operator=(const NftTable&) = delete;

  /// Makes it without an object: it stays until it is removed. Replaces the one before at once. Throws as the constructor.
  static void make(const std::string& name, const std::string& chains, const std::string& otherwise);
  /// The commands that delete a table, whether it is there or not.
  static std::string removal_of(const std::string& name);

 private:
  std::string name_;
};

}  // namespace tributary
