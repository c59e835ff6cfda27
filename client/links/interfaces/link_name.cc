#include "links/interfaces/link_name.hh"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include <array>

#include "links/interfaces/link_snapshot.hh"

namespace tributary {
namespace {

constexpr std::size_t kLongestName = 127;  // ALTIFNAMSIZ

int note_index(nl_msg* answer, void* index) {
  const auto* link = static_cast<const ifinfomsg*>(nlmsg_data(nlmsg_hdr(answer)));
  *static_cast<unsigned*>(index) = static_cast<unsigned>(link->ifi_index);
  return NL_OK;
}

}  // namespace

std::string link_name(const std::string& given) {
  if (given.empty() || given.size() > kLongestName) return given;
  const NlSocket socket = open_route_socket();
  unsigned index = 0;
  nl_socket_modify_cb(socket.get(), NL_CB_VALID, NL_CB_CUSTOM, note_index, &index);
  nl_msg* const question = nlmsg_alloc_simple(RTM_GETLINK, 0);
  ifinfomsg any{};
  if (question == nullptr || nlmsg_append(question, &any, sizeof any, NLMSG_ALIGNTO) < 0 ||
      nla_put_string(question, IFLA_ALT_IFNAME, given.c_str()) < 0)
    throw std::bad_alloc{};
  std::array<char, IF_NAMESIZE> name{};
  if (nl_send_sync(socket.get(), question) < 0) return given;  // frees the question
  return index != 0 && if_indextoname(index, name.data()) != nullptr ? name.data() : given;
}

}  // namespace tributary
