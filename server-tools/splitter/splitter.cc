#include "splitter/splitter.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bonding/inner/inner_packet.hh"

namespace tributary {
namespace {

using bonding::Bytes, bonding::Heading, bonding::PipeId;

constexpr int kFairShare = 256;  // packets of the device until it is the links' turn

std::vector<LinkSocket> sockets_over(const std::vector<std::string>& links) {
  std::vector<LinkSocket> sockets;
  for (const std::string& link : links) sockets.emplace_back(link);
  return sockets;
}

std::vector<Duration> round_trips_of(const std::vector<SplitterLink>& links) {
  std::vector<Duration> round_trips;
  for (const SplitterLink& link : links) round_trips.push_back(link.round_trip);
  return round_trips;
}

DataSize largest_packet(const std::vector<LinkSocket>& sockets) {
  DataSize size = sockets.front().mtu();
  for (const LinkSocket& socket : sockets) size = std::min(size, socket.mtu());
  return size;
}

/// The address of a network as text.
std::string address_in(const IpNetwork& network) {
  const std::string text = network.text();
  return text.substr(0, text.find('/'));
}

}  // namespace

Splitter::Splitter(SplitterOptions options, std::function<void(const std::string& text)> say)
    : options_{std::move(options)},
      say_{std::move(say)},
      links_{link_names()},
      sockets_{sockets_over(links_)},
      device_{options_.device, VirtualDevice::Layer::kPackets},
      network_{options_.device},
      pipes_{{.round_trips = round_trips_of(options_.links),
              .close_within = options_.close_within,
              .send = [this](PipeId pipe,
                             const Bytes& packet) { sockets_.at(static_cast<std::size_t>(pipe)).send(packet); }}},
      stage_{{.connections = {.processor = options_.processor, .most_connections = options_.most_connections},
              .ports = options_.ports},
             pipes_},
      monitor_{{address_in(*options_.receivers)}, links_} {
  network_.set({}, largest_packet(sockets_));
  for (std::size_t i = 0; i < links_.size(); ++i) pipes_.set_up(static_cast<PipeId>(i), false);
  look_at_links();
  led_.emplace(LedPackets::Ways{.receivers = options_.receivers->text(),
                                .senders = options_.senders,
                                .links = links_,
                                .device = options_.device});
}

std::vector<std::string> Splitter::link_names() const {
  std::vector<std::string> names;
  for (const SplitterLink& link : options_.links) names.push_back(link.name);
  return names;
}

void Splitter::run(int stop_fd) {
  loop_.watch(stop_fd, [this](TimePoint) { loop_.stop(); });
  loop_.watch(device_.file_descriptor(), [this](TimePoint now) { take_in(now); });
  loop_.watch(monitor_.file_descriptor(), [this](TimePoint) { look_at_links(); });
  loop_.run([this](TimePoint now) -> std::optional<TimePoint> {
    stage_.wake(now);
    for (const Bytes& packet : stage_.take_passed()) device_.write(packet);
    const TimePoint next = stage_.next_deadline();
    return next == TimePoint::max() ? std::nullopt : std::optional{next};
  });
}

void Splitter::take_in(TimePoint now) {
  for (int taken = 0; taken < kFairShare; ++taken) {
    std::optional<Bytes> packet = device_.read();
    if (!packet) return;
    const auto addresses = bonding::inner_addresses(*packet);
    if (!addresses) continue;
    const bool to_receiver = options_.receivers->has(IpAddress{addresses->destination});
    stage_.packet(std::move(*packet), to_receiver ? Heading::kToReceiver : Heading::kToSender, now);
  }
}

void Splitter::look_at_links() {
  for (const LinkChangeNotice& change : monitor_.poll()) {
    const auto place = std::ranges::find(links_, change.link.name);
    if (place == links_.end()) continue;
    const auto pipe = static_cast<PipeId>(place - links_.begin());
    pipes_.set_up(pipe, change.usable);
    if (change.usable) {
      stage_.pipe_came(pipe);
    } else {
      stage_.pipe_went(pipe);
      say_(fmt::format("{}: not used ({})", change.link.name, change.why));
    }
  }
}

}  // namespace tributary
