#include "command_line/choice.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

enum class Colour { kRed, kGreen };

TEST(Choice, AWordIsTheValueThatItNames) {
  CLI::App app;
  Colour colour = Colour::kRed;
  add_choice<Colour>(app, "--colour", colour, {{"red", Colour::kRed}, {"green", Colour::kGreen}}, "Paint in this.");
  app.parse("--colour green", false);
  EXPECT_EQ(colour, Colour::kGreen);
}

TEST(Choice, AWordThatIsNearlyOneOfThemIsAnsweredByThatOne) {
  CLI::App app;
  std::string colour;
  allow_words(app.add_option("--colour", colour), {"red", "green"});
  try {
    app.parse("--colour gren", false);
    FAIL();
  } catch (const CLI::ParseError& error) {
    EXPECT_STREQ(error.what(), "--colour: \"gren\": expected red|green; did you mean green?");
  }
  app.parse("--colour red", false);
  EXPECT_EQ(colour, "red");
}

TEST(Choice, AnyOtherWordIsAnsweredByThoseThatAreKnown) {
  CLI::App app;
  Colour colour = Colour::kRed;
  add_choice<Colour>(app, "--colour", colour, {{"red", Colour::kRed}, {"green", Colour::kGreen}}, "Paint in this.");
  try {
    app.parse("--colour 1", false);
    FAIL() << "1 is the number of a value, and no word";
  } catch (const CLI::ParseError& error) {
    EXPECT_STREQ(error.what(), "--colour: \"1\": expected red|green");
  }
  EXPECT_EQ(colour, Colour::kRed);
}

}  // namespace
}  // namespace tributary
