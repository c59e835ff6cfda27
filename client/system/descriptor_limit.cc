#include "system/descriptor_limit.hh"

#include <sys/resource.h>

#include <algorithm>

namespace tributary {

std::size_t raise_descriptor_limit() {
  constexpr rlim_t kEnough = 262'144;  // a system may have no limit at all
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1'024;
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, kEnough));
  ::setrlimit(RLIMIT_NOFILE, &limit);
  ::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace tributary
