#include "links/interfaces/received_bytes.hh"

#include <netlink/route/link.h>

#include <memory>

namespace tributary {

std::optional<DataSize> ReceivedBytes::over(const std::string& link) const {
  rtnl_link* found = nullptr;
  if (rtnl_link_get_kernel(socket_.get(), 0, link.c_str(), &found) < 0) return std::nullopt;
  const std::unique_ptr<rtnl_link, decltype(&rtnl_link_put)> owned{found, &rtnl_link_put};
  return DataSize{static_cast<std::int64_t>(rtnl_link_get_stat(found, RTNL_LINK_RX_BYTES))};
}

}  // namespace tributary
