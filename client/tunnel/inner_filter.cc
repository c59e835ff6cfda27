#include "tunnel/inner_filter.hh"

#include <algorithm>
#include <iterator>

#include "bonding/inner/inner_packet.hh"

namespace tributary {
namespace {

using bonding::Bytes, bonding::ByteSpan;

constexpr std::size_t kIcmpHeader = 8, kHeader4 = 20, kHeader6 = 40;
constexpr unsigned kIcmp4 = 1, kIcmp6 = 58;

unsigned byte_at(ByteSpan packet, std::size_t place) { return std::to_integer<unsigned>(packet[place]); }

/// The packet that could not go on, as far as the news have it; empty: these are no such news.
ByteSpan reported(ByteSpan packet) {
  const bool is_4 = byte_at(packet, 0) >> 4 == 4;
  const std::size_t header = is_4 ? 4 * (byte_at(packet, 0) & 0xf) : kHeader6;
  const unsigned protocol = is_4 ? byte_at(packet, 9) : byte_at(packet, 6);
  if (protocol != (is_4 ? kIcmp4 : kIcmp6) || header < (is_4 ? kHeader4 : kHeader6)) return {};
  if (packet.size() < header + kIcmpHeader) return {};
  const unsigned type = byte_at(packet, header);
  // Destination unreachable (packet too big), time exceeded, parameter problem.
  const bool is_news = is_4 ? type == 3 || type == 11 || type == 12 : type >= 1 && type <= 4;
  return is_news ? packet.subspan(header + kIcmpHeader) : ByteSpan{};
}

}  // namespace

InnerFilter::InnerFilter(const std::vector<std::string>& networks) {
  std::ranges::transform(networks, std::back_inserter(networks_), IpNetwork::from);
}

void InnerFilter::own_addresses(const bonding::Assignment& assignment) {
  own_ = {Bytes(assignment.ipv4.begin(), assignment.ipv4.end()), Bytes(assignment.ipv6.begin(), assignment.ipv6.end())};
}

bool InnerFilter::is_own(ByteSpan address) const {
  return std::ranges::any_of(own_, [&](const Bytes& own) { return std::ranges::equal(own, address); });
}

bool InnerFilter::is_led_here(ByteSpan address) const {
  return std::ranges::any_of(networks_,
                             [ip = IpAddress{address}](const IpNetwork& network) { return network.has(ip); });
}

bool InnerFilter::lets_in(ByteSpan packet) const {
  const auto addresses = bonding::inner_addresses(packet);
  if (!addresses || !is_own(addresses->destination)) return false;
  if (is_led_here(addresses->source)) return true;
  const auto ours = bonding::inner_addresses(reported(packet));
  return ours && is_own(ours->source) && is_led_here(ours->destination);
}

}  // namespace tributary
