#include "command_line/usage_problem.hh"

#include <gtest/gtest.h>

#include <memory>

#include "command_line/introduction.hh"

namespace tributary {
namespace {

/// The problem of a program that paints, or strips walls of their paint.
std::string problem_of(const std::string& words, bool with_commands = true) {
  CLI::App app{"", "paint"};
  introduce(app, {"Paints walls.", "", {}});
  std::string wall;
  unsigned coats = 1;
  double thickness = 1;
  bool dry = false;
  app.add_option("WALL", wall);
  app.add_option("--coats", coats)->option_text("N");
  app.add_option("--thickness", thickness)->option_text("MM");
  if (with_commands) {
    CLI::App* const strip = app.add_subcommand("strip");
    introduce(*strip, {"Takes the paint off.", "", {}});
    strip->add_flag("--dry", dry);
    app.require_subcommand(0, 1);
  }
  try {
    app.parse(words, false);
  } catch (const CLI::ParseError& error) {
    return usage_problem(app, error);
  }
  return "";
}

TEST(UsageProblem, ANameThatIsNearlyAnOptionIsAnsweredByThatOption) {
  EXPECT_EQ(problem_of("--caots 3"),
            "--caots: there is no such option; did you mean --coats?\npaint --help tells more\n");
  EXPECT_EQ(problem_of("--coat=3"),
            "--coat: there is no such option; did you mean --coats?\npaint --help tells more\n");
  EXPECT_EQ(problem_of("--purple"), "--purple: there is no such option\npaint --help tells more\n");
}

TEST(UsageProblem, AnOptionAtAnotherPlaceIsAnsweredByItsPlace) {
  EXPECT_EQ(problem_of("--dry"), "--dry: there is no such option; it is one of paint strip\npaint --help tells more\n");
  EXPECT_EQ(problem_of("strip --thickness"),
            "--thickness: there is no such option; it is one of paint\npaint strip --help tells more\n");
}

TEST(UsageProblem, AWordThatIsNearlyACommandIsAnsweredByThatCommand) {
  EXPECT_EQ(problem_of("stirp wall"),
            "stirp: there is no such command; did you mean strip?\npaint --help tells more\n");
  EXPECT_EQ(problem_of("wall ceiling"), "\"ceiling\" is one argument too many\npaint --help tells more\n");
  EXPECT_EQ(problem_of("wall ceiling", false), "\"ceiling\" is one argument too many\npaint --help tells more\n");
}

TEST(UsageProblem, AValueThatIsNoNumberIsAnsweredByTheKindOfNumber) {
  EXPECT_EQ(problem_of("--coats many"),
            "--coats: \"many\": expected a whole number, 0 or more\npaint --help tells more\n");
  EXPECT_EQ(problem_of("--thickness 1mm"), "--thickness: \"1mm\": expected a number\npaint --help tells more\n");
  EXPECT_EQ(problem_of("--coats"), "--coats: its value is missing: --coats N\npaint --help tells more\n");
}

TEST(UsageProblem, AMissingCommandIsAnsweredByAllOfThem) {
  CLI::App app{"", "lab"};
  app.require_subcommand(1);
  app.add_subcommand("up");
  app.add_subcommand("down");
  const auto problem = [&](const std::string& words) {
    try {
      app.parse(words, false);
    } catch (const CLI::ParseError& error) {
      return usage_problem(app, error);
    }
    return std::string{};
  };
  EXPECT_EQ(problem(""), "a command is missing: up, down\nlab --help tells more\n");
  EXPECT_EQ(problem("donw"), "donw: there is no such command; did you mean down?\nlab --help tells more\n");
  EXPECT_EQ(problem("left"), "left: there is no such command; there are up, down\nlab --help tells more\n");
}

}  // namespace
}  // namespace tributary
