#include "system/kept_capabilities.hh"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <sstream>
#include <string>

#include "system/fed_command.hh"

namespace tributary {
namespace {

constexpr unsigned long kNetAdmin = 1UL << CAP_NET_ADMIN;

/// The bits of a line of /proc/PID/status, as a program that is started sees them of itself.
unsigned long bits(const std::string& line) {
  std::istringstream words{output_of_command("grep ^" + line + ": /proc/self/status")};
  std::string name, value;
  words >> name >> value;
  return std::stoul(value, nullptr, 16);
}

/// Of a process that keeps only CAP_NET_ADMIN: what `act` returns, which is at most 255.
int of_the_rest(int (*act)()) {
  const pid_t child = ::fork();
  if (child == 0) {
    int result = 255;
    try {
      keep_only(std::array{CAP_NET_ADMIN});
      result = act();
    } catch (const std::exception&) {
    }
    ::_exit(result);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

/// As root there is something to be given up; the others of this test hold for every user.
TEST(KeptCapabilities, ProgramsThatAreStartedHaveNoOthers) {
  EXPECT_EQ(of_the_rest([] { return (bits("CapPrm") | bits("CapEff") | bits("CapInh")) & ~kNetAdmin ? 1 : 0; }), 0);
  EXPECT_EQ(of_the_rest([] { return bits("NoNewPrivs") == 1 ? 0 : 1; }), 0);
}

TEST(KeptCapabilities, WhatIsKeptIsKept) {
  const bool had = (bits("CapEff") & kNetAdmin) != 0;
  EXPECT_EQ(of_the_rest([] { return (bits("CapEff") & kNetAdmin) != 0 ? 1 : 0; }), had ? 1 : 0);
}

}  // namespace
}  // namespace tributary
