#pragma once

#include <functional>
#include <optional>
#include <string>

#include "units/data_size.hh"

namespace tributary::lending {

/// What members have used of the uplink today, each alone and all together, in files that outlive the program
/// (accounts/usage_books.hh). Bytes are taken ahead and count at once, so that no cap is ever exceeded; what was taken and
/// not used when a program is killed stays counted.
class DailyUse {
 public:
  struct Caps {
    std::optional<DataSize> all, member;
    bool any() const { return all || member; }
  };
  DailyUse(std::string folder, Caps caps, std::function<void(const std::string&)> warn)
      : folder_{std::move(folder)}, caps_{caps}, warn_{std::move(warn)} {}

  const Caps& caps() const { return caps_; }
  /// Takes at most `wanted` for a member. Without caps all of it, uncounted.
  DataSize take(const std::string& member, DataSize wanted);
  void give_back(const std::string& member, DataSize unused);
  /// What the member may still take; nothing: any number of bytes.
  std::optional<DataSize> left(const std::string& member) const;

 private:
  std::string folder_;
  Caps caps_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace tributary::lending
