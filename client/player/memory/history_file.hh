#pragma once

#include <functional>
#include <string>

#include "player/memory/address_history.hh"

namespace tributary::play {

/// The AddressHistory of this user, in a file that several windows may share. A file with wrong content is renamed, and
/// never overwritten. Errors go to `complain`, and playing goes on.
class HistoryFile {
 public:
  using Complain = std::function<void(const std::string&)>;

  HistoryFile(std::string path, Complain complain);
  /// $XDG_STATE_HOME/tributary/play.json
  static std::string usual_path();

  AddressHistory read() const { return load().value_or(AddressHistory{}); }
  /// Reads, changes and writes the file under a lock. If the lock cannot be had soon, goes on without it.
  void change(const std::function<void(AddressHistory&)>& change) const;

 private:
  /// Nothing if the file could neither be read nor be renamed.
  std::optional<AddressHistory> load() const;

  std::string path_;
  Complain complain_;
};

}  // namespace tributary::play
