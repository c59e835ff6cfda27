#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bonding/stage/inner_stage.hh"
#include "bonding/stage/link_pipes.hh"
#include "simulation/bottleneck.hh"
#include "simulation/reno_sender.hh"

namespace tributary {

/// The round trips of the pipes that links make: there over each, and back over the first one. Throws std::invalid_argument if there is
/// no link.
std::vector<Duration> round_trips_of(const std::vector<LinkScenario>& links);

/// One connection of TCP in virtual time, from a sender next to a stage to a receiver behind all links. Acknowledgments come back over
/// the first link. The sender knows cumulative acknowledgments only (reno_sender.hh). Packets are real ones.
class SimulatedTransfer {
 public:
  struct Outcome {
    DataRate goodput;  // of what arrived in order
    std::uint64_t retransmissions = 0;
    std::uint64_t lost = 0;                     // packets that a queue had no place for, or that a link lost
    std::uint64_t dropped_acknowledgments = 0;  // by the stage
  };
  /// The links must outlive it. The seed decides what they lose.
  SimulatedTransfer(const std::vector<LinkScenario>& links, const std::string& processor, std::uint64_t seed);

  Outcome run(Duration length);

 private:
  void at(TimePoint time, std::function<void()> what) { events_.emplace(time, std::move(what)); }
  void begin();
  void send();
  void send_over(std::size_t link, const bonding::Bytes& packet);
  void acknowledged(const bonding::Bytes& packet);
  void got(const bonding::TcpPacket& packet);

  TimePoint now_{};
  std::vector<Bottleneck> to_receiver_;
  Bottleneck to_sender_;
  bonding::LinkPipes pipes_;
  bonding::InnerStage stage_;
  RenoSender sender_;
  RenoReceiver receiver_;
  std::multimap<TimePoint, std::function<void()>> events_;
  Outcome outcome_;
};

}  // namespace tributary
