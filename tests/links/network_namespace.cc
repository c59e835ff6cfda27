#include "network_namespace.hh"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace tributary {
namespace {

/// Root inside the new user namespace is who we were outside.
void become_root_inside(uid_t outside_user, gid_t outside_group) {
  std::ofstream{"/proc/self/setgroups"} << "deny";
  std::ofstream{"/proc/self/uid_map"} << "0 " << outside_user << " 1";
  std::ofstream{"/proc/self/gid_map"} << "0 " << outside_group << " 1";
}

}  // namespace

bool enter_fresh_network_namespace() {
  if (unshare(CLONE_NEWNET) == 0) return true;
  const uid_t user = getuid();
  const gid_t group = getgid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  become_root_inside(user, group);
  return true;
}

void ip(const std::string& arguments) {
  const std::string command = "ip " + arguments;
  if (std::system(command.c_str()) != 0) throw std::runtime_error{"failed: " + command};
}

}  // namespace tributary
