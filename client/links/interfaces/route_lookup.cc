#include "links/interfaces/route_lookup.hh"

#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "links/interfaces/link_snapshot.hh"

namespace tributary {
namespace {

using NlMessage = std::unique_ptr<nl_msg, decltype(&nlmsg_free)>;

Route::Kind kind_of(unsigned char type) {
  switch (type) {
    case RTN_UNICAST:
      return Route::Kind::kToOthers;
    case RTN_LOCAL:
    case RTN_BROADCAST:
    case RTN_ANYCAST:
    case RTN_MULTICAST:
      return Route::Kind::kHere;
    default:
      return Route::Kind::kNowhere;
  }
}

/// Called by libnl: `found` is an optional Route.
int take_route(nl_msg* message, void* found) {
  nlmsghdr* const header = nlmsg_hdr(message);
  std::array<nlattr*, RTA_MAX + 1> attributes{};
  if (header->nlmsg_type != RTM_NEWROUTE || nlmsg_parse(header, sizeof(rtmsg), attributes.data(), RTA_MAX, nullptr) < 0)
    return NL_SKIP;
  const auto* const entry = static_cast<const rtmsg*>(nlmsg_data(header));
  const bool has_several = attributes[RTA_MULTIPATH] != nullptr;
  // RTA_VIA: a router of the other family. RTA_NH_ID: an object that may have a router, or several.
  const bool has_router = has_several || attributes[RTA_GATEWAY] != nullptr || attributes[RTA_VIA] != nullptr ||
                          attributes[RTA_NH_ID] != nullptr;
  const bool has_device = !has_several && attributes[RTA_OIF] != nullptr;
  static_cast<std::optional<Route>*>(found)->emplace(
      Route{.kind = kind_of(entry->rtm_type),
            .has_router = has_router,
            .prefix_length = entry->rtm_dst_len,
            .device = has_device ? static_cast<int>(nla_get_u32(attributes[RTA_OIF])) : 0});
  return NL_OK;
}

NlMessage question(std::span<const std::byte> address, int device) {
  NlMessage message{nlmsg_alloc_simple(RTM_GETROUTE, NLM_F_REQUEST), &nlmsg_free};
  if (!message) throw std::bad_alloc{};
  rtmsg asked{};
  asked.rtm_family = address.size() == 4 ? AF_INET : AF_INET6;
  asked.rtm_dst_len = static_cast<unsigned char>(8 * address.size());
  asked.rtm_flags = RTM_F_FIB_MATCH;  // the entry, not the way of one packet
  nlmsg_append(message.get(), &asked, sizeof asked, NLMSG_ALIGNTO);
  nla_put(message.get(), RTA_DST, static_cast<int>(address.size()), address.data());
  if (device != 0) nla_put_u32(message.get(), RTA_OIF, static_cast<std::uint32_t>(device));
  return message;
}

}  // namespace

std::optional<Route> route_to(std::span<const std::byte> address, int device) try {
  const NlSocket socket = open_route_socket();
  nl_socket_disable_auto_ack(socket.get());
  std::optional<Route> found;
  nl_socket_modify_cb(socket.get(), NL_CB_VALID, NL_CB_CUSTOM, &take_route, &found);
  const NlMessage message = question(address, device);
  if (nl_send_auto(socket.get(), message.get()) < 0 || nl_recvmsgs_default(socket.get()) < 0) return std::nullopt;
  return found;
} catch (const std::runtime_error&) {
  return std::nullopt;
}

}  // namespace tributary
