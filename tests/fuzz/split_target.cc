// Streams of a tunnel. A peer with the key sends nonsense, while streams are opened, used and broken off, and links come and go.
#include <algorithm>
#include <set>
#include <span>

#include "bonding/split/record.hh"
#include "bonding/split/split_end.hh"
#include "fuzz_target.hh"

using namespace tributary;
using namespace tributary::bonding;

namespace {

/// What is read is the same when it is written again.
void as_a_message(ByteSpan plain) {
  const auto message = read_stream_message(plain);
  if (message) fuzz::require(std::ranges::equal(write_stream_message(*message), plain));
}

/// Somebody without the key.
void from_a_stranger(ByteSpan bytes) {
  RecordBuffer buffer;
  buffer.add(bytes);
  RecordReader reader{std::make_shared<KeyRing>(SessionKeys{})};
  std::size_t taken = 0;
  while (const auto sealed = buffer.take()) {
    taken += 2 + sealed->size();
    // An empty seal of zeros by a key of zeros is none either.
    fuzz::require(!reader.open(ConnectionId{1}, PathId{0}, *sealed));
  }
  fuzz::require(taken + buffer.size() == bytes.size());
}

class Driven {
 public:
  explicit Driven(SplitRole role)
      : end_{role, role == SplitRole::kClient ? SplitRule::kFirstWithRoom : SplitRule::kSendVector} {
    links_.insert(PathId{0});
    end_.link_up(PathId{0});
  }

  void step(std::size_t what, ByteSpan bytes) {
    const auto stream = static_cast<StreamId>(what % 5);
    const auto link = static_cast<PathId>(what % 3);
    switch (what % 11) {
      case 0:
        links_.insert(link);
        return end_.link_up(link);
      case 1:
        links_.erase(link);
        return end_.link_down(link);
      case 2:
        end_.open(PeerAddress{});
        return;
      case 3:
        return end_.send(stream, bytes);
      case 4:
        return end_.end(stream);
      case 5:
        return end_.reset(stream);
      case 6:
        fuzz::require(end_.receive(stream, bytes.size()).size() <= bytes.size());
        return;
      case 7:
        return end_.rate_of(link, DataRate::bits_per_second(static_cast<double>(what)));
      default:
        as_a_message(bytes);
        end_.arrived(bytes);
    }
  }
  void look() {
    for (const PathId link : links_) {
      const bool has = end_.has_for(link);
      const auto message = end_.next(link);
      fuzz::require(has == message.has_value());
      if (message)
        fuzz::require(read_stream_message(*message).has_value() && message->size() <= RecordWriter::kMostPlain);
    }
    fuzz::require(end_.streams() <= SplitEnd::kMostStreams);
    end_.take_opened();
    end_.take_changed();
    end_.take_reset();
  }

 private:
  SplitEnd end_;
  std::set<PathId> links_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteSpan input = std::as_bytes(std::span{data, size});
  if (input.empty()) return 0;
  if (input.front() == std::byte{'s'}) {
    from_a_stranger(input.subspan(1));
    return 0;
  }
  Driven driven{input.front() == std::byte{'c'} ? SplitRole::kClient : SplitRole::kRelay};
  for (ByteReader reader{input.subspan(1)}; !reader.rest().empty();) {
    const std::size_t what = reader.number(1), length = std::min<std::size_t>(reader.number(1), reader.rest().size());
    driven.step(what, reader.bytes(length));
    driven.look();
  }
  return 0;
}
