#include "netlab/namespaces.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace tributary {
namespace {

void check(int result, const std::string& what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
}

void write_proc(const std::string& path, const std::string& text) {
  std::ofstream file{path};
  file << text << std::flush;
  if (!file) throw std::system_error(errno, std::generic_category(), "write " + path);
}

FileDescriptor open_namespace(const std::string& path) {
  FileDescriptor fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  check(fd.get(), "open " + path);
  return fd;
}

bool is_own_user_namespace(const FileDescriptor& user) {
  struct stat own {
  }, other{};
  check(::stat("/proc/self/ns/user", &own), "look at /proc/self/ns/user");
  check(::fstat(user.get(), &other), "look at a user namespace");
  return own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

}  // namespace

void enter_new_network_namespace() {
  if (::unshare(CLONE_NEWNET) == 0) return;
  if (errno != EPERM) check(-1, "make a network namespace");
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  check(::unshare(CLONE_NEWUSER | CLONE_NEWNET),
        "make a user namespace (run as root, or allow user namespaces with sysctl "
        "kernel.unprivileged_userns_clone=1)");
  write_proc("/proc/self/setgroups", "deny");
  write_proc("/proc/self/uid_map", fmt::format("0 {} 1", user));
  write_proc("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

FileDescriptor open_network_namespace() { return open_namespace("/proc/self/ns/net"); }
FileDescriptor open_user_namespace() { return open_namespace("/proc/self/ns/user"); }

void join_namespaces(const FileDescriptor& user, const FileDescriptor& network) {
  if (!is_own_user_namespace(user)) check(::setns(user.get(), CLONE_NEWUSER), "join the user namespace of the lab");
  check(::setns(network.get(), CLONE_NEWNET), "join the network namespace of the lab");
}

void become_user(const std::string& user) {
  const passwd* entry = ::getpwnam(user.c_str());
  if (entry == nullptr && user.find_first_not_of("0123456789") == std::string::npos) {
    entry = ::getpwuid(static_cast<uid_t>(std::strtoul(user.c_str(), nullptr, 10)));
  }
  if (entry == nullptr) throw std::invalid_argument(fmt::format("there is no user \"{}\"", user));
  check(::initgroups(entry->pw_name, entry->pw_gid), "take the groups of " + user);
  check(::setgid(entry->pw_gid), "take the group of " + user);
  check(::setuid(entry->pw_uid), "become " + user);
}

}  // namespace tributary
