#include "tunnel/machine/packet_device.hh"

#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "tunnel/machine/offload/divided_packets.hh"
#include "tunnel/machine/offload/joined_packets.hh"

namespace tributary {
namespace {

constexpr std::size_t kLargestPacket = 65'535;

}  // namespace

PacketDevice::PacketDevice(const std::string& name)
    : device_{name, VirtualDevice::Layer::kPackets, VirtualDevice::Offload::kTcp}, buffer_(kLargestPacket) {}

void PacketDevice::read(std::size_t about, const std::function<void(bonding::Bytes packet)>& take) {
  for (std::size_t taken = 0; taken < about;) {
    OffloadHeader header{};
    const std::array<iovec, 2> places{{{&header, sizeof header}, {buffer_.data(), buffer_.size()}}};
    const ssize_t size = ::readv(file_descriptor(), places.data(), places.size());
    if (size < 0 && errno != EAGAIN && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "read from a virtual device");
    if (size <= static_cast<ssize_t>(sizeof header)) return;
    const auto end = buffer_.begin() + (size - static_cast<ssize_t>(sizeof header));
    for (bonding::Bytes& packet : divided_packets(header, {buffer_.begin(), end})) {
      take(std::move(packet));
      ++taken;
    }
  }
}

void PacketDevice::write(std::vector<bonding::Bytes> packets) {
  for (JoinedPacket& joined : joined_packets(std::move(packets))) {
    const std::array<iovec, 2> places{
        {{&joined.header, sizeof joined.header}, {joined.packet.data(), joined.packet.size()}}};
    [[maybe_unused]] const ssize_t taken = ::writev(file_descriptor(), places.data(), places.size());
  }
}

}  // namespace tributary
