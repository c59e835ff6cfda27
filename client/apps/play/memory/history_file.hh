#pragma once

#include <functional>
#include <string>

#include "apps/play/memory/address_history.hh"

namespace tributary::play {

/// The AddressHistory of this user, in a file that several windows may share. A file that cannot be read is put aside,
/// never overwritten; what went wrong is told, and playing goes on.
class HistoryFile {
 public:
  using Complain = std::function<void(const std::string&)>;

  HistoryFile(std::string path, Complain complain);
  /// $XDG_STATE_HOME/tributary/play.json
  static std::string usual_path();

  AddressHistory read() const { return load().value_or(AddressHistory{}); }
  /// Reads, changes and writes, alone among all who use the file.
  void change(const std::function<void(AddressHistory&)>& change) const;

 private:
  /// Nothing: what is there could be neither read nor put aside.
  std::optional<AddressHistory> load() const;

  std::string path_;
  Complain complain_;
};

}  // namespace tributary::play
