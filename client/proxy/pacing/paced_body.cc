#include "proxy/pacing/paced_body.hh"

#include <algorithm>
#include <chrono>

namespace tributary::proxy {
namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds{100};

}  // namespace

PacedBody::Leave PacedBody::may_leave(DataSize there, DataSize gone, TimePoint now) {
  if (there <= DataSize{}) return {};
  if (rate_) look_at_rate(now);
  if (!pace_) return {there};
  const DataSize wanted = std::min(there, gone == DataSize{} ? DataSize{1} : pace_->worth_a_write());
  const DataSize allowed = std::min(there, pace_->allowed(now) - gone);
  if (allowed < wanted) return {{}, pace_->due(gone + wanted)};
  return {allowed};
}

void PacedBody::look_at_rate(TimePoint now) {
  if (now < look_again_) return;
  look_again_ = now + kLookEvery;
  const auto rate = rate_();
  if (pace_ && rate)
    pace_->change(*rate, now);
  else if (rate)
    pace_.emplace(*rate, size_, now);
  else if (!pace_)
    rate_ = nullptr;  // the first bytes left unpaced: what the player measures is no rate any more
}

}  // namespace tributary::proxy
