#include "bonding/scheduling/allocation.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

/// The channels, best first, and how much is left of the one whose turn it is.
class Remaining {
 public:
  explicit Remaining(std::span<const DataRate> channels) : channels_{channels} { begin_channel(); }

  /// Nothing if it does not fit.
  std::vector<Share> take(DataRate need) {
    std::vector<Share> shares;
    while (place_ < channels_.size()) {
      const DataRate taken = std::min(need, free_);
      if (taken > DataRate{} || need <= DataRate{}) shares.push_back({place_, taken});
      need = need - taken;
      free_ = free_ - taken;
      if (need <= DataRate{}) return shares;
      next_channel();
    }
    return {};
  }
  void next_channel() {
    ++place_;
    begin_channel();
  }
  bool is_full() const { return free_ <= DataRate{}; }

 private:
  void begin_channel() { free_ = place_ < channels_.size() ? channels_[place_] : DataRate{}; }

  std::span<const DataRate> channels_;
  std::size_t place_ = 0;
  DataRate free_;
};

}  // namespace

std::vector<std::vector<Share>> allocate(std::span<const DataRate> subflows, std::span<const DataRate> channels,
                                         Sharing sharing) {
  std::vector<std::vector<Share>> shares(subflows.size());
  Remaining remaining{channels};
  for (std::size_t i = 0; i < subflows.size(); ++i) {
    shares[i] = remaining.take(subflows[i]);
    if (shares[i].empty()) break;
    if (sharing == Sharing::kWhole || remaining.is_full()) remaining.next_channel();
  }
  return shares;
}

}  // namespace tributary::bonding
