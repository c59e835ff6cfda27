#include "command_line/program_end.hh"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <vector>

namespace tributary {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

struct Ended {
  int status;
  std::string error;  // what stands on standard error
};

Ended ended(const ErrorEnds& ends, const std::function<int()>& run) {
  ::testing::internal::CaptureStderr();
  const int status = run_program(ends, run);
  return {status, ::testing::internal::GetCapturedStderr()};
}

template <typename Error>
std::function<int()> throws(const Error& error) {
  return [error]() -> int { throw error; };
}

/// A kind of error that has an exit status of its own.
struct DiskFull : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const ErrorEnds kUsual{.program = "tributary-x"};

TEST(ProgramEnd, GivesWhatTheProgramReturns) {
  const Ended end = ended(kUsual, [] { return 18; });
  EXPECT_EQ(end.status, 18);
  EXPECT_EQ(end.error, "");
}

TEST(ProgramEnd, AfterTheCommandLineWasAnsweredSaysNothingMore) {
  EXPECT_EQ(ended(kUsual, throws(CommandLineEnd{0})).status, 0);
  const Ended wrong = ended(kUsual, throws(CommandLineEnd{2}));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.error, "");
}

TEST(ProgramEnd, TellsUsageFromOtherErrors) {
  const Ended usage = ended(kUsual, throws(UsageError{"--buffer: too little"}));
  EXPECT_EQ(usage.status, 2);
  EXPECT_EQ(usage.error, "tributary-x: --buffer: too little\n");

  const Ended other = ended(kUsual, throws(std::invalid_argument{"a file of others is odd"}));
  EXPECT_EQ(other.status, 1) << "it says nothing about the command line";
  EXPECT_EQ(other.error, "tributary-x: a file of others is odd\n");
}

TEST(ProgramEnd, OtherErrorsHaveTheStatusesOfTheProgram) {
  const ErrorEnds ends{.program = "x",
                       .other = [](const std::exception& e) { return dynamic_cast<const DiskFull*>(&e) ? 23 : 3; }};
  EXPECT_EQ(ended(ends, throws(DiskFull{"full"})).status, 23);
  EXPECT_EQ(ended(ends, throws(std::runtime_error{"-"})).status, 3);
  EXPECT_EQ(ended(ends, throws(UsageError{"-"})).status, 2);
  const Ended memory = ended(ends, throws(std::bad_alloc{}));
  EXPECT_EQ(memory.status, 3);
  EXPECT_EQ(memory.error, "x: out of memory\n");
}

TEST(ProgramEnd, TellsEachErrorInAnotherFormIfTheProgramHasOne) {
  std::vector<std::pair<int, std::string>> told;
  const ErrorEnds ends{.program = "x",
                       .tell = [&](int status, const std::string& text) { told.emplace_back(status, text); }};
  ended(ends, throws(UsageError{"a"}));
  ended(ends, throws(std::runtime_error{"b"}));
  ended(ends, throws(CommandLineEnd{2, "c"}));
  ended(ends, throws(CommandLineEnd{0}));
  ended(ends, throws(CommandLineEnd{2}));
  ended(ends, [] { return 5; });
  EXPECT_THAT(told, ElementsAre(Pair(2, "a"), Pair(1, "b"), Pair(2, "c")));
}

TEST(ProgramEnd, ARunWhoseOutputIsLostIsNoSuccess) {
  const auto to_a_full_disk = [](const std::function<int()>& run) {
    std::fflush(stdout);
    const int before = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
    dup2(full, STDOUT_FILENO);
    const Ended end = ended(kUsual, run);
    dup2(before, STDOUT_FILENO);
    for (const int fd : {before, full}) close(fd);
    return end;
  };
  const Ended lost = to_a_full_disk([] {
    std::fputs("figures", stdout);
    return 0;
  });
  EXPECT_EQ(lost.status, 1);
  EXPECT_EQ(lost.error, "tributary-x: standard output could not be written whole: No space left on device\n");
  EXPECT_EQ(to_a_full_disk([] { return 0; }).status, 0) << "nothing was printed";
}

TEST(ReadWords, MakeInvalidArgumentsErrorsOfUsage) {
  const auto number = [](const std::string& text) { return std::stoi(text); };
  EXPECT_EQ(read_words(number, "12"), 12);
  EXPECT_THROW(read_words(number, "many"), UsageError);
  EXPECT_THROW(read_words(number, "99999999999"), std::out_of_range);
}

}  // namespace
}  // namespace tributary
