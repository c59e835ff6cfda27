#include "segmenter/libav/sender_timeline.hh"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tributary::segmenter {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
/// A difference to the expected time beyond this is a jump, or a hole. Less is steered away.
constexpr std::int64_t kJump = kSecond / 2;
/// Times of decoding only grow, but for rounding and sound that overlaps.
constexpr std::int64_t kBack = kSecond / 10;
/// Beyond this, streams with clocks of their own may have been put in step (a sender report of RTCP).
constexpr std::int64_t kStep = kSecond / 20;
/// How long the least delay is looked for, twice. A network that stalls for less has moved nothing.
constexpr std::int64_t kStretch = kSecond * 5 / 2;
/// Steered by at most this share of the media, which is hardly heard.
constexpr std::int64_t kShare = 200;
/// Networks are not more exact than this.
constexpr std::int64_t kExact = kSecond / 50;

}  // namespace

std::optional<std::int64_t> SenderTimeline::Stream::least_of_both() const {
  if (!least || !least_before) return least ? least : least_before;
  return std::min(*least, *least_before);
}

std::int64_t SenderTimeline::shift(int number, const PacketTimes& times, std::optional<std::int64_t> arrival) {
  const auto [found, is_new] = streams_.try_emplace(number);
  Stream& stream = found->second;
  if (is_new) {
    if (const auto leading = streams_.find(leading_); leading != found && leading != streams_.end())
      stream.shift = stream.shift_before = leading->second.shift;
    stream.expected = times.decoded + stream.shift;
  }
  keep_step_with_others(number, stream, times, arrival);
  const std::int64_t jump = times.decoded + stream.shift - stream.expected;
  if (jump > kJump || jump < -kBack) leap(stream, times, arrival);
  ++stream.packets;
  if (arrival) note(stream, times.shown, *arrival);
  if (origin_ && number != leading_ && stream.least_before)
    stream.usual_delay = *stream.least_of_both() - *origin_ - stream.shift;
  if (arrival && origin_ && number == leading_ && stream.least_before && stream.was_fresh)
    steer(stream, times.duration);
  stream.expected = times.decoded + stream.shift + times.duration;
  return stream.shift;
}

/// Where the clock says that the packet belongs, if it is as late as its stream usually is.
std::optional<std::int64_t> SenderTimeline::by_clock(const Stream& stream, const PacketTimes& times,
                                                     std::optional<std::int64_t> arrival) const {
  if (!arrival || !origin_) return std::nullopt;
  return *arrival - *origin_ - stream.usual_delay - (times.shown - times.decoded);
}

/// The streams have one clock from now on, or another stream has jumped before.
void SenderTimeline::keep_step_with_others(int number, Stream& stream, const PacketTimes& times,
                                           std::optional<std::int64_t> arrival) {
  const std::int64_t time = times.decoded, off = std::abs(time + stream.shift - stream.expected);
  if (off <= kStep) return;
  const auto clock = by_clock(stream, times, arrival);
  if (clock && std::abs(time + stream.shift - *clock) <= off / 2) return;  // a hole
  for (const auto& [other, its] : streams_) {
    if (other == number || its.shift == stream.shift) continue;
    if (std::abs(time + its.shift - stream.expected) > off / 2) continue;
    stream.shift_before = std::exchange(stream.shift, its.shift);
    stream.forget_arrivals();
    return;
  }
}

/// A hole, if the packet came as much later; otherwise the clock of the sender has jumped.
void SenderTimeline::leap(Stream& stream, const PacketTimes& times, std::optional<std::int64_t> arrival) {
  const auto fits = [&](std::int64_t shift) { return std::abs(times.decoded + shift - stream.expected) <= kStep; };
  if (fits(stream.shift_before)) {
    std::swap(stream.shift, stream.shift_before);
    stream.forget_arrivals();
    return;
  }
  const auto clock = by_clock(stream, times, arrival);
  const std::int64_t stated = times.decoded + stream.shift;
  if (clock && stated > stream.expected && std::abs(stated - *clock) <= kJump) return;  // a hole
  const std::int64_t place = clock && *clock > stream.expected + kJump ? *clock : stream.expected;
  stream.shift_before = std::exchange(stream.shift, place - times.decoded);
  stream.forget_arrivals();
}

void SenderTimeline::note(Stream& stream, std::int64_t shown, std::int64_t arrival) {
  if (stream.least && arrival - stream.since >= kStretch) {
    stream.least_before = std::exchange(stream.least, std::nullopt);
    stream.was_fresh = 2 * std::exchange(stream.fresh, 0) >= std::exchange(stream.packets, 0);
  }
  if (!stream.least) stream.since = arrival;
  ++stream.fresh;
  stream.least = std::min(stream.least.value_or(arrival - shown), arrival - shown);
}

void SenderTimeline::steer(const Stream& leading, std::int64_t duration) {
  const std::int64_t late = *leading.least_of_both() - *origin_ - leading.shift;
  if (late > kJump) return move_all(late);  // the sender has lost time, in a pause
  const std::int64_t most = std::clamp<std::int64_t>(duration, 0, kSecond) / kShare;
  if (std::abs(late) > kExact) move_all(std::clamp(late, -most, most));
}

void SenderTimeline::move_all(std::int64_t by) {
  for (auto& [number, stream] : streams_) {
    stream.shift += by;
    stream.shift_before += by;
    stream.expected += by;
  }
}

std::map<int, std::int64_t> SenderTimeline::settle(bool clocks_of_their_own) {
  const auto origin_of = [](const Stream& stream) -> std::optional<std::int64_t> {
    const auto least = stream.least_of_both();
    return least ? std::optional{*least - stream.shift} : std::nullopt;
  };
  origin_ = origin_of(streams_[leading_]);
  for (const auto& [number, stream] : streams_) {
    if (!origin_) origin_ = origin_of(stream);
  }
  if (!origin_) origin_ = 0;
  std::map<int, std::int64_t> more;
  for (auto& [number, stream] : streams_) {
    const auto its = origin_of(stream);
    if (!clocks_of_their_own || !its || number == leading_) continue;
    more[number] = *its - *origin_;
    stream.shift += more[number];
    stream.shift_before += more[number];
    stream.expected += more[number];
  }
  return more;
}

}  // namespace tributary::segmenter
