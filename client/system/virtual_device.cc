#include "system/virtual_device.hh"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace tributary {
namespace {

std::string advice_after(int error) {
  if (error == EPERM) return " (needs the capability CAP_NET_ADMIN, as root has it)";
  if (error == EBUSY) return " (another program has a device of that name)";
  return {};
}

}  // namespace

VirtualDevice::VirtualDevice(const std::string& name, Layer layer, Offload offload)
    : fd_{::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)} {
  if (!fd_.is_open()) {
    throw std::system_error(errno, std::generic_category(),
                            "open /dev/net/tun (needs the tun module, and read and write permission, as in chmod 666)");
  }
  ifreq request{};
  request.ifr_flags = static_cast<short>((layer == Layer::kFrames ? IFF_TAP : IFF_TUN) | IFF_NO_PI |
                                         (offload == Offload::kNone ? 0 : IFF_VNET_HDR));
  std::strncpy(request.ifr_name, name.c_str(), IFNAMSIZ - 1);
  if (::ioctl(fd_.get(), TUNSETIFF, &request) < 0) {
    const int error = errno;
    throw std::system_error(error, std::generic_category(), "make the device " + name + advice_after(error));
  }
  // A system that cannot do that divides them itself.
  if (offload == Offload::kChecksums) ::ioctl(fd_.get(), TUNSETOFFLOAD, TUN_F_CSUM);
  if (offload == Offload::kTcp) ::ioctl(fd_.get(), TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6);
}

std::optional<std::vector<std::byte>> VirtualDevice::read() {
  std::array<std::byte, 65536> buffer;  // NOLINT: filled by read
  const ssize_t size = ::read(fd_.get(), buffer.data(), buffer.size());
  if (size > 0) return std::vector<std::byte>(buffer.begin(), buffer.begin() + size);
  if (size == 0 || errno == EAGAIN || errno == EINTR) return std::nullopt;
  throw std::system_error(errno, std::generic_category(), "read from a virtual device");
}

void VirtualDevice::write(std::span<const std::byte> bytes) {
  [[maybe_unused]] const ssize_t taken = ::write(fd_.get(), bytes.data(), bytes.size());
}

void VirtualDevice::set_carrier(bool on) {
  const unsigned int carrier = on ? 1 : 0;
  if (::ioctl(fd_.get(), TUNSETCARRIER, &carrier) < 0 && errno != EBADFD) {  // EBADFD: the device was deleted
    throw std::system_error(errno, std::generic_category(), "set the carrier of a virtual device");
  }
}

}  // namespace tributary
