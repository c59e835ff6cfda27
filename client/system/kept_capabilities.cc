#include "system/kept_capabilities.hh"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace tributary {
namespace {

using Halves = std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3>;

void check(long result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
}

/// True: something was taken away.
bool take_away(std::uint32_t& from, std::uint32_t but) {
  const bool more = (from & ~but) != 0;
  from &= but;
  return more;
}

}  // namespace

void keep_only(std::span<const int> capabilities) {
  std::array<std::uint32_t, _LINUX_CAPABILITY_U32S_3> kept{};
  for (const int capability : capabilities)
    kept.at(static_cast<std::size_t>(CAP_TO_INDEX(capability))) |= static_cast<std::uint32_t>(CAP_TO_MASK(capability));
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  Halves held{};
  check(::syscall(SYS_capget, &header, held.data()), "capget");
  bool changes = false;
  for (std::size_t i = 0; i < held.size(); ++i) {
    for (std::uint32_t* set : {&held[i].permitted, &held[i].effective, &held[i].inheritable})
      changes = take_away(*set, kept[i]) || changes;
  }
  // A service that has no others may not be allowed the call.
  if (changes) check(::syscall(SYS_capset, &header, held.data()), "capset");
  check(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl");
}

}  // namespace tributary
