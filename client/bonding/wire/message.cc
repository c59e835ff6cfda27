#include "bonding/wire/message.hh"

#include <algorithm>
#include <cassert>

#include "units/overloaded.hh"

namespace tributary::bonding {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;

constexpr std::size_t kTypeWidth = 1, kTimeWidth = 4, kSequenceWidth = 6;
constexpr std::uint64_t kMostRate = std::uint64_t{1} << 48;  // bit/s

void write_token(const ChallengeToken& token, ByteWriter& writer) { writer.bytes(token); }
ChallengeToken read_token(ByteReader& reader) {
  ChallengeToken token{};
  std::ranges::copy(reader.bytes(token.size()), token.begin());
  return token;
}

/// Zeros to the end of the message: nothing can be hidden there.
std::optional<DataSize> read_padding(ByteReader& reader) {
  const ByteSpan padding = reader.bytes(reader.rest().size());
  if (!std::ranges::all_of(padding, [](std::byte byte) { return byte == std::byte{}; })) return std::nullopt;
  return size_of(padding);
}

class MessageWriter {
 public:
  explicit MessageWriter(Bytes& plain) : writer_{plain} {}

  void operator()(const InnerData& data) {
    writer_.number(to_index(data.sequence), kSequenceWidth);
    writer_.bytes(data.packet);
  }
  /// Ranges as the last number of the newest, and then the widths of ranges and gaps by turns.
  void operator()(const Feedback& feedback) {
    assert(!feedback.ranges.empty() && feedback.ranges.size() <= Feedback::kMostRanges);
    writer_.number(to_index(feedback.path), 1);
    writer_.number(to_index(feedback.echoed), kTimeWidth);
    writer_.number(static_cast<std::uint64_t>(duration_cast<microseconds>(feedback.held).count()), kTimeWidth);
    writer_.number(feedback.ranges.size(), 1);
    std::uint64_t from = kSequenceEnd - 1;
    for (const SequenceRange& range : feedback.ranges) {
      writer_.number(from - to_index(range.last), kSequenceWidth);
      writer_.number(to_index(range.last) - to_index(range.first), kSequenceWidth);
      from = to_index(range.first);
    }
  }
  void operator()(const TrainCar& car) {
    writer_.number(car.train, 2);
    writer_.number(car.index, 1);
    writer_.number(car.count, 1);
    pad(car.padding);
  }
  void operator()(const TrainReport& report) {
    writer_.number(to_index(report.path), 1);
    writer_.number(report.train, 2);
    const auto rate = static_cast<std::uint64_t>(std::max(std::int64_t{}, report.rate.whole_bits_per_second()));
    writer_.number(std::min(rate, kMostRate - 1), kSequenceWidth);
  }
  void operator()(const PathChallenge& challenge) {
    write_token(challenge.token, writer_);
    pad(challenge.padding);
  }
  void operator()(const PathResponse& response) { write_token(response.token, writer_); }
  void operator()(const KeepAlive& keep_alive) { pad(keep_alive.padding); }
  void operator()(const PathLeft& left) { writer_.number(to_index(left.path), 1); }
  void operator()(const Close&) {}
  void operator()(const MtuProbe& probe) { pad(probe.padding); }

 private:
  void pad(DataSize size) { writer_.zeros(static_cast<std::size_t>(size.bytes())); }

  ByteWriter writer_;
};

std::optional<Message> read_feedback(ByteReader& reader) {
  Feedback feedback;
  feedback.path = static_cast<PathId>(reader.number(1));
  feedback.echoed = static_cast<SentTime>(reader.number(kTimeWidth));
  feedback.held = microseconds{reader.number(kTimeWidth)};
  const std::size_t count = reader.number(1);
  if (count == 0 || count > Feedback::kMostRanges) return std::nullopt;
  std::uint64_t from = kSequenceEnd - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t gap = reader.number(kSequenceWidth), width = reader.number(kSequenceWidth);
    // Ranges neither overlap nor touch, and none is below 0.
    if (reader.failed() || gap > from || width > from - gap || (i > 0 && gap < 2)) return std::nullopt;
    const std::uint64_t last = from - gap;
    from = last - width;
    feedback.ranges.push_back({static_cast<PathSequence>(from), static_cast<PathSequence>(last)});
  }
  return feedback;
}

std::optional<Message> read_train_car(ByteReader& reader) {
  TrainCar car;
  car.train = static_cast<std::uint16_t>(reader.number(2));
  car.index = static_cast<std::uint8_t>(reader.number(1));
  car.count = static_cast<std::uint8_t>(reader.number(1));
  const auto padding = read_padding(reader);
  if (!padding || car.index >= car.count) return std::nullopt;
  car.padding = *padding;
  return car;
}

std::optional<Message> read_train_report(ByteReader& reader) {
  TrainReport report;
  report.path = static_cast<PathId>(reader.number(1));
  report.train = static_cast<std::uint16_t>(reader.number(2));
  report.rate = DataRate::bits_per_second(static_cast<double>(reader.number(kSequenceWidth)));
  return report;
}

std::optional<Message> read_challenge(ByteReader& reader) {
  PathChallenge challenge;
  challenge.token = read_token(reader);
  const auto padding = read_padding(reader);
  if (!padding) return std::nullopt;
  challenge.padding = *padding;
  return challenge;
}

template <typename Padded>
std::optional<Message> read_padded(ByteReader& reader) {
  const auto padding = read_padding(reader);
  return padding ? std::optional<Message>{Padded{*padding}} : std::nullopt;
}

std::optional<Message> read_inner(ByteReader& reader) {
  const auto sequence = static_cast<GlobalSequence>(reader.number(kSequenceWidth));
  return InnerData{sequence, reader.bytes(reader.rest().size())};
}

/// The type on the wire is the place in the variant.
std::optional<Message> read_body(std::uint64_t type, ByteReader& reader) {
  switch (type) {
    case 0:
      return read_inner(reader);
    case 1:
      return read_feedback(reader);
    case 2:
      return read_train_car(reader);
    case 3:
      return read_train_report(reader);
    case 4:
      return read_challenge(reader);
    case 5:
      return PathResponse{read_token(reader)};
    case 6:
      return read_padded<KeepAlive>(reader);
    case 7:
      return PathLeft{static_cast<PathId>(reader.number(1))};
    case 8:
      return Close{};
    case 9:
      return read_padded<MtuProbe>(reader);
    default:
      return std::nullopt;
  }
}

}  // namespace

SentTime sent_time(TimePoint at) {
  return static_cast<SentTime>(duration_cast<microseconds>(at.time_since_epoch()).count());
}

Duration operator-(SentTime later, SentTime earlier) {
  return microseconds{
      static_cast<std::int32_t>(static_cast<std::uint32_t>(later) - static_cast<std::uint32_t>(earlier))};
}

SentTime operator-(SentTime time, Duration before) {
  return static_cast<SentTime>(to_index(time) -
                               static_cast<std::uint64_t>(duration_cast<microseconds>(before).count()));
}

std::optional<SentMessage> read_message(ByteSpan plain) {
  ByteReader reader{plain};
  const std::uint64_t type = reader.number(kTypeWidth);
  const auto sent_at = static_cast<SentTime>(reader.number(kTimeWidth));
  if (reader.failed()) return std::nullopt;
  std::optional<Message> message = read_body(type, reader);
  if (!message || !reader.complete()) return std::nullopt;
  return SentMessage{sent_at, std::move(*message)};
}

void write_message(const SentMessage& message, Bytes& plain) {
  ByteWriter writer{plain};
  writer.number(message.message.index(), kTypeWidth);
  writer.number(to_index(message.sent_at), kTimeWidth);
  std::visit(MessageWriter{plain}, message.message);
}

bool asks_for_feedback(const Message& message) {
  return std::visit(Overloaded{[](const Feedback&) { return false; }, [](const TrainReport&) { return false; },
                               [](const Close&) { return false; }, [](const auto&) { return true; }},
                    message);
}

}  // namespace tributary::bonding
