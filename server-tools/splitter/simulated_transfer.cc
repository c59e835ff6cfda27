#include "splitter/simulated_transfer.hh"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "bonding/inner/tcp_segment.hh"

namespace tributary {
namespace {

using bonding::Bytes, bonding::Heading, bonding::TcpPacket, bonding::TcpSegment;
using namespace std::chrono_literals;

constexpr DataSize kEthernet{14}, kFull{1460};
constexpr std::uint32_t kSender = 0xc0000201, kReceiver = 0xc6336402;  // 192.0.2.1, 198.51.100.2
constexpr std::uint32_t kSenderPort = 80, kReceiverPort = 4000;
constexpr std::size_t kIp = 20, kHeaders = 40;
constexpr std::uint64_t kFirst = 1;  // the number of the first byte; SYN has the one before

struct Words {
  Heading heading;
  std::uint8_t flags = TcpSegment::kAck;
  std::uint64_t sequence = kFirst, acknowledgment = kFirst;
  std::uint32_t length = 0;
};

Bytes packet_of(const Words& words) {
  const bool to_receiver = words.heading == Heading::kToReceiver;
  Bytes packet(kHeaders + words.length);
  bonding::write_number(packet, 0, 1, 0x45);
  bonding::write_number(packet, 2, 2, static_cast<std::uint32_t>(packet.size()));
  bonding::write_number(packet, 8, 2, 64U << 8 | 6);
  bonding::write_number(packet, 12, 4, to_receiver ? kSender : kReceiver);
  bonding::write_number(packet, 16, 4, to_receiver ? kReceiver : kSender);
  bonding::write_number(packet, kIp, 2, to_receiver ? kSenderPort : kReceiverPort);
  bonding::write_number(packet, kIp + 2, 2, to_receiver ? kReceiverPort : kSenderPort);
  bonding::write_number(packet, kIp + TcpSegment::kSequence, 4, static_cast<std::uint32_t>(words.sequence));
  bonding::write_number(packet, kIp + TcpSegment::kAcknowledgment, 4, static_cast<std::uint32_t>(words.acknowledgment));
  bonding::write_number(packet, kIp + 12, 1, 0x50);
  bonding::write_number(packet, kIp + TcpSegment::kFlags, 1, words.flags);
  bonding::write_number(packet, kIp + TcpSegment::kWindow, 2, 0xffff);
  return packet;
}

DataSize frame_of(const Bytes& packet) { return DataSize{static_cast<std::int64_t>(packet.size())} + kEthernet; }

/// The number whose lower half this is: it is as near as possible to one that is known.
std::uint64_t whole_number_near(std::uint64_t known, std::uint32_t lower) {
  return known + static_cast<std::uint64_t>(
                     static_cast<std::int64_t>(static_cast<std::int32_t>(lower - static_cast<std::uint32_t>(known))));
}

const LinkScenario& first_of(const std::vector<LinkScenario>& links) {
  if (links.empty()) throw std::invalid_argument{"a transfer needs a link"};
  return links.front();
}

}  // namespace

std::vector<Duration> round_trips_of(const std::vector<LinkScenario>& links) {
  const Duration back = first_of(links).at(TimePoint{}).rtt / 2;
  std::vector<Duration> round_trips;
  for (const LinkScenario& link : links) round_trips.push_back(link.at(TimePoint{}).rtt / 2 + back);
  return round_trips;
}

SimulatedTransfer::SimulatedTransfer(const std::vector<LinkScenario>& links, const std::string& processor,
                                     std::uint64_t seed)
    : to_sender_{first_of(links), seed},
      pipes_{{.round_trips = round_trips_of(links),
              .close_within = std::nullopt,
              .send = [this](bonding::PipeId pipe,
                             const Bytes& packet) { send_over(static_cast<std::size_t>(pipe), packet); }}},
      stage_{{.connections = {.processor = processor}, .ports = {}}, pipes_},
      sender_{kFull, now_} {
  for (const LinkScenario& link : links) to_receiver_.emplace_back(link, ++seed);
}

/// The stage sees both packets with which a connection begins; the links have no part in it.
void SimulatedTransfer::begin() {
  stage_.packet(
      packet_of(
          {.heading = Heading::kToReceiver, .flags = TcpSegment::kSyn, .sequence = kFirst - 1, .acknowledgment = 0}),
      Heading::kToReceiver, now_);
  stage_.packet(
      packet_of({.heading = Heading::kToSender, .flags = TcpSegment::kSyn | TcpSegment::kAck, .sequence = kFirst - 1}),
      Heading::kToSender, now_);
  stage_.take_passed();
}

void SimulatedTransfer::send() {
  for (const RenoSender::Segment& segment : sender_.take_segments(now_)) {
    stage_.packet(
        packet_of({.heading = Heading::kToReceiver, .sequence = kFirst + segment.sequence, .length = segment.length}),
        Heading::kToReceiver, now_);
  }
}

void SimulatedTransfer::send_over(std::size_t link, const Bytes& packet) {
  const auto arrives = to_receiver_.at(link).send(frame_of(packet), now_);
  if (!arrives) {
    ++outcome_.lost;
    return;
  }
  at(*arrives, [this, segment = TcpPacket::read(packet).value()] { got(segment); });
}

void SimulatedTransfer::got(const TcpPacket& packet) {
  const auto known = static_cast<std::uint64_t>(receiver_.in_order().bytes());
  const std::uint64_t sequence = whole_number_near(kFirst + known, packet.sequence) - kFirst;
  const std::uint64_t next = receiver_.got({.sequence = sequence, .length = packet.length});
  Bytes answer = packet_of({.heading = Heading::kToSender, .acknowledgment = kFirst + next});
  const auto arrives = to_sender_.send(frame_of(answer), now_);
  if (arrives) at(*arrives, [this, bytes = std::move(answer)] { acknowledged(bytes); });
}

void SimulatedTransfer::acknowledged(const Bytes& packet) {
  stage_.packet(packet, Heading::kToSender, now_);
  const std::vector<Bytes> passed = stage_.take_passed();
  if (passed.empty()) ++outcome_.dropped_acknowledgments;
  for (const Bytes& each : passed) {
    const auto known = kFirst + static_cast<std::uint64_t>(receiver_.in_order().bytes());
    sender_.acknowledged(whole_number_near(known, TcpPacket::read(each).value().acknowledgment) - kFirst, now_);
  }
  send();
}

SimulatedTransfer::Outcome SimulatedTransfer::run(Duration length) {
  const TimePoint end = now_ + length;
  begin();
  send();
  while (true) {
    const TimePoint event = events_.empty() ? TimePoint::max() : events_.begin()->first;
    const TimePoint next = std::min(event, sender_.next_deadline());
    if (next > end) break;
    now_ = next;
    if (event <= now_) {
      const auto what = std::move(events_.begin()->second);
      events_.erase(events_.begin());
      what();
    } else {
      sender_.wake(now_);
      send();
    }
  }
  outcome_.goodput = receiver_.in_order() / length;
  outcome_.retransmissions = sender_.retransmissions();
  return outcome_;
}

}  // namespace tributary
