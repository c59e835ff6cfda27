#include "segmenter/libav/sender_packets.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "units/text/quantity_text.hh"

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

/// How long packets are looked at that have just come: the least delay of these counts.
constexpr auto kLook = 300ms;
/// A packet that took less time to read was there before.
constexpr auto kAtOnce = 2ms;
/// Packets that are read within this time came in one piece.
constexpr auto kTogether = 20ms;
/// The most that is read before the source plays. A source that brings more without a pause has no backlog, but is fast.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr auto kLongest = 3s;
/// Two thousand years: sums of such times have room.
constexpr std::int64_t kFarthest = std::int64_t{1} << 56;

}  // namespace

SenderPackets::SenderPackets(InputFile& file, int picture) : file_{file}, picture_{picture}, timeline_{picture} {
  read_backlog();
  settle();
}

void SenderPackets::read_backlog() {
  std::optional<std::chrono::steady_clock::time_point> first_fresh;
  for (std::size_t bytes = 0; bytes < kMostBytes;) {
    PacketHandle packet = make_packet();
    if (!read_from_file(*packet)) {
      ended_ = true;
      return;
    }
    const auto now = std::chrono::steady_clock::now();
    const auto arrival = arrival_of_last();
    if (arrival && !first_fresh) first_fresh = now;
    bytes += static_cast<std::size_t>(packet->size) + sizeof *packet;
    shift(*packet, arrival);
    backlog_.push_back(std::move(packet));
    if ((first_fresh && now - *first_fresh >= kLook) || now - begun_ >= kLongest) return;
  }
}

void SenderPackets::settle() {
  const auto more = timeline_.settle(file_.streams_have_clocks());
  for (const PacketHandle& packet : backlog_) {
    if (const auto found = more.find(packet->stream_index); found != more.end()) move(*packet, found->second);
  }
  begin_with_keyframe();
}

/// Whoever joins a stream between two keyframes gets pictures first that cannot be decoded.
void SenderPackets::begin_with_keyframe() {
  const auto is_start = [&](const PacketHandle& packet) {
    return packet->stream_index == picture_ && (packet->flags & AV_PKT_FLAG_KEY) != 0 && packet->pts != AV_NOPTS_VALUE;
  };
  const auto start = std::ranges::find_if(backlog_, is_start);
  if (start == backlog_.end()) return;
  first_shown_ = (*start)->pts;
  backlog_.erase(std::remove_if(backlog_.begin(), start,
                                [&](const PacketHandle& packet) { return packet->stream_index == picture_; }),
                 start);
}

bool SenderPackets::read(AVPacket& packet) {
  if (!backlog_.empty()) {
    av_packet_move_ref(&packet, backlog_.front().get());
    backlog_.pop_front();
    last_picture_ = std::chrono::steady_clock::now();
    return true;
  }
  if (ended_ || !read_timed(packet)) return false;
  expect_pictures(packet);
  shift(packet, arrival_of_last());
  return true;
}

bool SenderPackets::read_timed(AVPacket& packet) {
  const auto before = std::chrono::steady_clock::now();
  const bool has_read = file_.read(packet);
  const auto after = std::chrono::steady_clock::now();
  if (after - before >= kAtOnce) waited_ = after;
  return has_read;
}

/// Nothing, if we are behind: a packet for which nobody waits came some time ago. One that comes along with another just came.
std::optional<std::int64_t> SenderPackets::arrival_of_last() const {
  const auto now = std::chrono::steady_clock::now();
  if (!waited_ || now - *waited_ > kTogether) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::microseconds>(now - begun_).count();
}

/// What came before the source went away is worth to be shown.
bool SenderPackets::read_from_file(AVPacket& packet) {
  try {
    return read_timed(packet);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::kInput) throw;
    return false;
  }
}

/// A sender that changes its streams may send what is not played, for ever.
void SenderPackets::expect_pictures(const AVPacket& packet) {
  const auto now = std::chrono::steady_clock::now();
  if (packet.stream_index == picture_) last_picture_ = now;
  const std::optional<Duration> patience = file_.patience().reading;
  if (patience && now - last_picture_ > *patience)
    throw Failure{ExitCode::kInput,
                  fmt::format("{}: no picture has come for {}", file_.name(), format_duration(*patience))};
}

void SenderPackets::shift(AVPacket& packet, std::optional<std::int64_t> arrival) {
  const std::int64_t decoded = packet.dts != AV_NOPTS_VALUE ? packet.dts : packet.pts;
  if (decoded == AV_NOPTS_VALUE) return;
  const AVRational base = file_.stream(packet.stream_index).time_base;
  const auto microseconds = [&](std::int64_t time) {
    return std::clamp(av_rescale_q(time, base, AV_TIME_BASE_Q), -kFarthest, kFarthest);
  };
  const PacketTimes times{microseconds(decoded), microseconds(packet.pts != AV_NOPTS_VALUE ? packet.pts : decoded),
                          microseconds(packet.duration)};
  move(packet, timeline_.shift(packet.stream_index, times, arrival));
}

void SenderPackets::move(AVPacket& packet, std::int64_t microseconds) const {
  const std::int64_t ticks = av_rescale_q(microseconds, AV_TIME_BASE_Q, file_.stream(packet.stream_index).time_base);
  if (packet.dts != AV_NOPTS_VALUE) packet.dts = av_sat_add64(packet.dts, ticks);
  if (packet.pts != AV_NOPTS_VALUE) packet.pts = av_sat_add64(packet.pts, ticks);
}

std::chrono::steady_clock::time_point SenderPackets::came(std::int64_t time) const {
  return begun_ + std::chrono::microseconds{timeline_.origin() + time};
}

}  // namespace tributary::segmenter
