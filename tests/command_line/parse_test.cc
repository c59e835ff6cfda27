#include "command_line/parse.hh"

#include <gtest/gtest.h>

#include <optional>

#include "command_line/introduction.hh"

namespace tributary {
namespace {

struct Parsed {
  std::optional<int> status;  // nothing: the program goes on
  std::string out, error, problem;
};

Parsed parsed(
    std::vector<const char*> words, const std::function<void()>& check = [] {}) {
  CLI::App app;
  introduce(app, {"Does nothing.", "", {}});
  int count = 0;
  app.add_option("--count", count);
  words.insert(words.begin(), "program");
  Parsed result;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  try {
    parse(app, static_cast<int>(words.size()), const_cast<char**>(words.data()), check);
  } catch (const CommandLineEnd& end) {
    result.status = end.exit_status;
    result.problem = end.problem;
  }
  result.out = ::testing::internal::GetCapturedStdout();
  result.error = ::testing::internal::GetCapturedStderr();
  return result;
}

TEST(Parse, GoesOnAfterARightCommandLine) {
  const Parsed right = parsed({"--count", "3"});
  EXPECT_EQ(right.status, std::nullopt);
  EXPECT_EQ(right.out + right.error, "");
}

TEST(Parse, AnswersHelpOnStandardOutput) {
  const Parsed help = parsed({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("Does nothing."), std::string::npos);
  EXPECT_EQ(help.error + help.problem, "");
}

TEST(Parse, EndsWithTheStatusForWrongUsage) {
  EXPECT_EQ(parsed({"--count", "many"}).status, 2);
  EXPECT_EQ(parsed({"--number"}).status, 2);
  const Parsed checked = parsed({}, [] { throw std::invalid_argument{"--count: is missing"}; });
  EXPECT_EQ(checked.status, 2);
  EXPECT_EQ(checked.error, "program: --count: is missing\nprogram --help tells more\n");
  EXPECT_EQ(checked.problem, "--count: is missing");
  EXPECT_EQ(parsed({}, [] { throw UsageError{"-"}; }).status, 2);
}

TEST(Parse, SaysWhatIsWrongWithoutSecrets) {
  for (const char* const word : {"https://user:secret@host/film?t=secret", "--no=https://h/?secret",
                                 "wss://h/#a secret", "--count=https://user:secret@host/film?t=secret"}) {
    const Parsed wrong = parsed({word});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_EQ(wrong.error.find("secret"), std::string::npos) << wrong.error;
  }
  EXPECT_EQ(parsed({"https://user:secret@host/film?t=secret"}).error,
            "program: \"https://...@host/film?...\" is one argument too many\nprogram --help tells more\n");
  EXPECT_EQ(parsed({"--no=https://h/?secret"}).error,
            "program: --no: there is no such option\nprogram --help tells more\n");
}

}  // namespace
}  // namespace tributary
