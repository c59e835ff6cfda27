#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tributary::lending {

/// Where one lender may be reached: where it answered last, and where somebody says that it is, which anybody may say. Only
/// an answer under the lender's key tells which is right, so all of them are to be tried.
class LenderAddresses {
 public:
  static constexpr std::size_t kMost = 8;

  explicit LenderAddresses(std::string last) : all_{std::move(last)} {}

  /// In the order in which they are to be tried: first where it answered last, then the newest.
  const std::vector<std::string>& all() const { return all_; }
  /// It answers there, under its key.
  void answered_at(const std::string& address);
  /// Somebody says that it is at these. False: none of them is new.
  bool found(const std::vector<std::string>& addresses);

 private:
  std::vector<std::string> all_;
};

}  // namespace tributary::lending
