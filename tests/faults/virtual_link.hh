#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "agenda.hh"
#include "transport/sockets/byte_stream.hh"
#include "virtual_origin.hh"

namespace tributary::testing {

/// A link in virtual time, with connections over it to an origin. Connections share its rate, first come, first served; what
/// does not get through while it is down or silent gets through later, as TCP would have it.
class VirtualLink {
 public:
  /// The plan and the origin must outlive it.
  VirtualLink(const FaultPlan& plan, std::uint32_t number, VirtualOrigin& origin);

  std::unique_ptr<transport::ByteStream> connect();
  Agenda& agenda() { return agenda_; }
  const LinkPhase& phase(TimePoint at) const;
  const std::vector<LinkPhase>& phases() const { return phases_; }

 private:
  struct Connection;
  class Stream;
  struct Piece {
    std::shared_ptr<Connection> connection;
    std::string bytes;
    std::size_t sent = 0;
    VirtualOrigin::Reply::Then then{};
  };

  /// The first moment from then on at which something gets through.
  TimePoint passes_at(TimePoint at) const;
  /// So long ago something got through last.
  Duration silence_of_peer() const;
  void establish(const std::shared_ptr<Connection>& connection, TimePoint give_up);
  void arrives_at_origin(const std::shared_ptr<Connection>& connection, std::string bytes);
  bool owes_an_answer(const Connection& connection) const;
  void queue(const std::shared_ptr<Connection>& connection, VirtualOrigin::Reply reply);
  void reply(const std::shared_ptr<Connection>& connection, VirtualOrigin::Reply reply);
  void trickle(const std::shared_ptr<Connection>& connection, std::string bytes, std::size_t piece);
  void transmit();
  void arrives_here();

  const std::vector<LinkPhase>& phases_;
  std::uint32_t number_;
  VirtualOrigin& origin_;
  Agenda agenda_;
  SplitMix chance_;
  std::deque<Piece> queue_;  // at the origin's end
  bool transmitting_ = false;
  struct UnderWay {
    std::shared_ptr<Connection> connection;
    std::string bytes;
    VirtualOrigin::Reply::Then then{};
  };
  std::deque<UnderWay> under_way_;  // hither; nothing overtakes
  TimePoint last_arrival_here_, last_arrival_there_;
};

}  // namespace tributary::testing
