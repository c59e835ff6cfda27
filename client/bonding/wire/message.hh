#pragma once

#include <array>
#include <optional>
#include <variant>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/identifiers.hh"
#include "units/data_rate.hh"

namespace tributary::bonding {

/// A moment on the sender's clock as packets carry it: microseconds, of which 32 bits are told. They come round after
/// 71 minutes, so only differences below half of that mean anything.
enum class SentTime : std::uint32_t {};
SentTime sent_time(TimePoint at);
/// later - earlier; between -36 and 36 minutes.
Duration operator-(SentTime later, SentTime earlier);
SentTime operator-(SentTime time, Duration before);

/// Sequence numbers first to last, both included.
struct SequenceRange {
  PathSequence first{}, last{};
  bool operator==(const SequenceRange&) const = default;
};

/// An inner packet. One that is sent again keeps its number.
struct InnerData {
  GlobalSequence sequence{};
  ByteSpan packet;
};
/// Packets of a path that have arrived, the newest first, and the SentTime of the newest of them, which the receiver has
/// kept for `held`.
struct Feedback {
  static constexpr std::size_t kMostRanges = 32;

  PathId path{};
  SentTime echoed{};
  Duration held{};
  std::vector<SequenceRange> ranges;
};
/// One packet of a train (probing/packet_train.hh).
struct TrainCar {
  std::uint16_t train = 0;
  std::uint8_t index = 0, count = 0;
  DataSize padding;
};
struct TrainReport {
  PathId path{};
  std::uint16_t train = 0;
  DataRate rate;
};
using ChallengeToken = std::array<std::byte, 8>;
/// Whoever can read it at the address that it was sent to answers it.
struct PathChallenge {
  ChallengeToken token{};
  DataSize padding;  // so that the answer may be as large
};
struct PathResponse {
  ChallengeToken token{};
};
/// Keeps mappings of NAT alive, and asks for feedback. If a mapping has changed, the padding pays for a challenge.
struct KeepAlive {
  DataSize padding;
};
/// The link of this path is gone at the sender's: nothing that is sent over it arrives any more.
struct PathLeft {
  PathId path{};
};
struct Close {};
/// Its feedback tells that a packet of this size arrives.
struct MtuProbe {
  DataSize padding;
};

/// The contents of a sealed packet.
using Message = std::variant<InnerData, Feedback, TrainCar, TrainReport, PathChallenge, PathResponse, KeepAlive,
                             PathLeft, Close, MtuProbe>;

struct SentMessage {
  SentTime sent_at{};
  Message message;
};

/// What a message has beside its inner packet or padding: type (1), time (4), and the number of an inner packet (6).
constexpr DataSize kMessageHeader{5}, kInnerHeader{kMessageHeader.bytes() + 6};

/// Borrows the inner packet from `plain`. Nothing unless `plain` is one message, whole and without anything behind it.
std::optional<SentMessage> read_message(ByteSpan plain);
void write_message(const SentMessage& message, Bytes& plain);

/// The peer acknowledges packets with this message. Feedback about feedback would never end.
bool asks_for_feedback(const Message& message);

}  // namespace tributary::bonding
