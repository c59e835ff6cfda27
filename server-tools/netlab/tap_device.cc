#include "netlab/tap_device.hh"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace tributary {

TapDevice::TapDevice(const std::string& name) : fd_{::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)} {
  if (!fd_.is_open()) {
    throw std::system_error(errno, std::generic_category(),
                            "open /dev/net/tun (needs the tun module, and read and write permission, as in chmod 666)");
  }
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  std::strncpy(request.ifr_name, name.c_str(), IFNAMSIZ - 1);
  if (::ioctl(fd_.get(), TUNSETIFF, &request) < 0) {
    throw std::system_error(errno, std::generic_category(), "make the TAP device " + name);
  }
}

std::optional<Frame> TapDevice::read() {
  std::array<std::byte, 65536> buffer;  // NOLINT: filled by read
  const ssize_t size = ::read(fd_.get(), buffer.data(), buffer.size());
  if (size > 0) return Frame(buffer.begin(), buffer.begin() + size);
  if (size == 0 || errno == EAGAIN || errno == EINTR) return std::nullopt;
  throw std::system_error(errno, std::generic_category(), "read from a TAP device");
}

void TapDevice::write(const Frame& frame) {
  [[maybe_unused]] const ssize_t taken = ::write(fd_.get(), frame.data(), frame.size());
}

void TapDevice::set_carrier(bool on) {
  const unsigned int carrier = on ? 1 : 0;
  if (::ioctl(fd_.get(), TUNSETCARRIER, &carrier) < 0 && errno != EBADFD) {  // EBADFD: the device was deleted
    throw std::system_error(errno, std::generic_category(), "set the carrier of a TAP device");
  }
}

}  // namespace tributary
