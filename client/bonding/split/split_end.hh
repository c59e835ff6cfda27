#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "bonding/probing/reinjection_budget.hh"
#include "bonding/split/received_stream.hh"
#include "bonding/split/sent_stream.hh"
#include "bonding/wire/identifiers.hh"
#include "bonding/wire/replay_window.hh"
#include "units/data_rate.hh"

namespace tributary::bonding {

/// Which link takes the next bytes of a stream.
enum class SplitRule {
  kFirstWithRoom,  // ours: whichever takes more now
  kSendVector,     // the thesis' Algorithm 5, by the rates of the links
};

/// That of the tunnel's scheduler: the thesis' where the thesis' is wanted, else ours.
SplitRule split_rule(std::string_view scheduler);

enum class SplitRole { kClient, kRelay };

/// One end of streams that are carried over one connection of TCP for each link (thesis section 5.2.3). A stream stands for
/// a connection of TCP that ends here, and goes on at the peer. The client opens streams, the relay accepts them.
///
/// Like the rest of bonding it owns no socket and no clock. If a link is lost, the other links carry what it owes. The last
/// bytes on a slow link go over a fast one, too, where that has nothing else to do.
class SplitEnd {
 public:
  static constexpr std::size_t kMostStreams = 1024;
  /// Bytes of one stream and direction that wait for room at the next receiver.
  static constexpr std::size_t kWindow = 4'000'000;
  static constexpr std::size_t kMostWaiting = 64'000'000;  // of all together

  explicit SplitEnd(SplitRole role, SplitRule rule = SplitRule::kFirstWithRoom) : role_{role}, rule_{rule} {}

  // ---- Links

  void link_up(PathId link);
  void link_down(PathId link);
  /// As the system measures it, for the send vector.
  void rate_of(PathId link, DataRate rate);
  /// There is something that this link should carry.
  bool has_for(PathId link) const;
  /// The next message for this link, which must be up. Nothing: none now.
  std::optional<Bytes> next(PathId link);
  /// A message of the peer. False: it makes no sense, and nothing of the peer does from now on.
  bool arrived(ByteSpan plain);

  // ---- Streams of this machine

  /// Nothing for more streams than there may be.
  std::optional<StreamId> open(const PeerAddress& to);
  /// Bytes that may be sent before the links have to bring some away.
  std::size_t room(StreamId stream) const;
  void send(StreamId stream, ByteSpan bytes);
  /// Nothing more is sent.
  void end(StreamId stream);
  void reset(StreamId stream);
  /// Takes bytes that have come, at most so many.
  Bytes receive(StreamId stream, std::size_t most);
  bool has_bytes(StreamId stream) const;
  /// Everything has come and was received.
  bool finished(StreamId stream) const;

  // ---- What has happened since the last call

  struct Opened {
    StreamId stream{};
    PeerAddress to;
  };
  std::vector<Opened> take_opened() { return std::exchange(opened_, {}); }
  /// Streams that have bytes, an end or room, which they did not have before.
  std::set<StreamId> take_changed() { return std::exchange(changed_, {}); }
  /// Streams that the peer has broken off. They are not there any more.
  std::vector<StreamId> take_reset() { return std::exchange(reset_, {}); }

  std::size_t streams() const { return streams_.size(); }

 private:
  struct Stream {
    SentStream out;
    ReceivedStream in{};
    bool opened = true;  // at the relay: its destination has come
  };
  struct Link {
    std::optional<DataRate> rate{};
  };
  using Streams = std::map<StreamId, Stream>;

  Stream* find(StreamId stream);
  const Stream* find(StreamId stream) const;
  Stream* accept(StreamId stream);
  bool take_data(const StreamData& data);
  void take_progress(const StreamProgress& progress);
  void take_reset_of(StreamId stream);
  void tell_progress(StreamId id, Stream& stream);
  void forget_if_done(StreamId id);
  std::size_t window() const;
  bool is_turn_of(PathId link) const;
  void turn_taken();
  std::optional<Bytes> next_piece(PathId link);
  std::optional<Bytes> piece_again(PathId link);
  bool may_send_again(const Stream& stream, PathId link) const;

  SplitRole role_;
  SplitRule rule_;
  std::map<PathId, Link> links_;
  Streams streams_;
  std::deque<Bytes> control_;
  ReinjectionBudget again_;
  std::optional<StreamId> last_served_;
  std::uint32_t next_stream_ = 1;
  ReplayWindow<16384> accepted_;
  std::vector<PathId> vector_;  // the links' turns
  std::size_t turn_ = 0;

  std::vector<Opened> opened_;
  std::set<StreamId> changed_;
  std::vector<StreamId> reset_;
};

}  // namespace tributary::bonding
