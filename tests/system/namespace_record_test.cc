#include "system/namespace_record.hh"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <string>

namespace tributary {
namespace {

/// A folder of its own as $RUNTIME_DIRECTORY.
class NamespaceRecordTest : public ::testing::Test {
 protected:
  NamespaceRecordTest() { ::setenv("RUNTIME_DIRECTORY", folder_.c_str(), 1); }
  ~NamespaceRecordTest() override {
    ::unsetenv("RUNTIME_DIRECTORY");
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path folder_ =
      std::filesystem::path{::testing::TempDir()} / ("namespace-record-" + std::to_string(::getpid()));
};

TEST_F(NamespaceRecordTest, IsInTheFolderThatSystemdNames) {
  NamespaceRecord record{"program", "record"};
  record.write("left");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder_}, {}), 1);
  EXPECT_EQ((NamespaceRecord{"program", "record"}.contents()), "left");
  record.remove();
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

/// What a namespace that is gone has left is not for one that has got its inode.
TEST_F(NamespaceRecordTest, IsNotThatOfALaterNamespace) {
  constexpr int kNotAllowed = 77, kSeen = 1;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::unshare(CLONE_NEWNET) != 0) ::_exit(kNotAllowed);
      try {
        NamespaceRecord record{"program", "record"};
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
}

}  // namespace
}  // namespace tributary
