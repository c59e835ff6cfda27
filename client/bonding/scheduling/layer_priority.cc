#include "bonding/scheduling/layer_priority.hh"

#include <algorithm>
#include <tuple>

#include "bonding/scheduling/path_weights.hh"

namespace tributary::bonding {
namespace {

/// Of a subflow of which nothing is known but that it is there.
constexpr double kLeastWeight = 1;

struct Channel {
  PathId path{};
  double loss = 0;
  DataRate rate;
};

/// The best first. One of unknown rate carries what the others do on average.
std::vector<Channel> channels_of(std::span<const PathView> paths) {
  const std::vector<WeightedPath> rates = paths_by_rate(paths);
  std::vector<Channel> channels;
  for (std::size_t i = 0; i < paths.size(); ++i)
    channels.push_back({paths[i].id, paths[i].loss, DataRate::bits_per_second(rates[i].weight)});
  std::ranges::stable_sort(channels, {}, &Channel::loss);
  return channels;
}

}  // namespace

std::optional<PathId> LayerPriority::choose(const NextPacket& packet, std::span<const PathView> paths,
                                            TimePoint /*now*/) {
  const std::vector<WeightedPath> allowed = paths_of(packet, paths);
  if (allowed.empty()) return std::nullopt;
  return turns_[packet.subflow].next(allowed, packet.size);
}

std::vector<WeightedPath> LayerPriority::paths_of(const NextPacket& packet, std::span<const PathView> paths) const {
  const bool measured = std::ranges::any_of(paths, [](const PathView& path) { return path.rate.has_value(); });
  if (!measured) return paths_by_rate(paths);
  const std::vector<Channel> channels = channels_of(paths);
  std::vector<DataRate> carried, needed;
  for (const Channel& channel : channels) carried.push_back(channel.rate);
  for (const SubflowRate& subflow : packet.subflows) needed.push_back(subflow.rate);
  const auto own = std::ranges::find(packet.subflows, packet.subflow, &SubflowRate::subflow);
  const auto shares = allocate(needed, carried, sharing_);
  std::vector<WeightedPath> allowed;
  if (own == packet.subflows.end()) return allowed;
  for (const Share& share : shares[static_cast<std::size_t>(own - packet.subflows.begin())])
    allowed.push_back({channels[share.channel].path, std::max(share.rate.bits_per_second(), kLeastWeight)});
  std::ranges::sort(allowed, {}, &WeightedPath::path);
  return allowed;
}

}  // namespace tributary::bonding
