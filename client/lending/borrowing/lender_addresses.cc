#include "lending/borrowing/lender_addresses.hh"

#include <algorithm>

namespace tributary::lending {

void LenderAddresses::answered_at(const std::string& address) {
  std::erase(all_, address);
  all_.insert(all_.begin(), address);
}

bool LenderAddresses::found(const std::vector<std::string>& addresses) {
  std::vector<std::string> more;
  for (const std::string& address : addresses) {
    const bool is_known =
        std::ranges::find(all_, address) != all_.end() || std::ranges::find(more, address) != more.end();
    if (!is_known && more.size() + 1 < kMost) more.push_back(address);
  }
  all_.insert(all_.begin() + 1, more.begin(), more.end());
  all_.resize(std::min(all_.size(), kMost));
  return !more.empty();
}

}  // namespace tributary::lending
