#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tributary::play {

/// The addresses that are played one after the other.
class Playlist {
 public:
  /// Begins with the first.
  void set(std::vector<std::string> addresses);

  const std::vector<std::string>& addresses() const { return addresses_; }
  /// The number of the one that plays.
  std::size_t current() const { return current_; }
  bool has_next() const { return current_ + 1 < addresses_.size(); }
  bool has_previous() const { return current_ > 0 && current_ < addresses_.size(); }
  /// Goes to another one and gives its address. It must be there.
  const std::string& go_to(std::size_t number);

 private:
  std::vector<std::string> addresses_;
  std::size_t current_ = 0;
};

/// The addresses that a user's words stand for. A folder on this computer stands for each film in it, by their names;
/// anything else stands for itself. A film is a folder with a manifest, or a manifest.
std::vector<std::string> films_of(const std::string& text);

}  // namespace tributary::play
