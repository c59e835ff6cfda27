#include "system/namespace_record.hh"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <string>

namespace tributary {
namespace {

/// What a namespace that is gone has left is not for one that has got its inode.
TEST(NamespaceRecord, IsNotThatOfALaterNamespace) {
  constexpr int kNotAllowed = 77, kSeen = 1;
  const std::string folder = "namespace-record-test-" + std::to_string(::getpid());
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::unshare(CLONE_NEWNET) != 0) ::_exit(kNotAllowed);
      try {
        NamespaceRecord record{folder, "record"};
        if (!record.contents().empty()) ::_exit(kSeen);
        record.write("left");
      } catch (const std::exception&) {
        ::_exit(kNotAllowed);
      }
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == kNotAllowed) GTEST_SKIP() << "needs root";
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  std::filesystem::remove_all("/run/" + folder);
}

}  // namespace
}  // namespace tributary
