#include "command_line/read_option.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using ::testing::ElementsAre;

int read_even(const std::string& text) {
  const int value = std::stoi(text);
  if (value % 2 != 0) throw std::invalid_argument("\"" + text + "\" is odd");
  return value;
}

std::string error_of(CLI::App& app, const std::string& words) {
  try {
    app.parse(words, false);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadOption, ATextBecomesAValue) {
  CLI::App app;
  int value = 0;
  add_read(app, "--even", value, read_even, "");
  app.parse("--even 4", false);
  EXPECT_EQ(value, 4);
}

TEST(ReadOption, EachTextBecomesOneMoreValue) {
  CLI::App app;
  std::vector<int> values;
  add_each(app, "--even", values, read_even, "")->allow_extra_args(false);
  app.parse("--even 4 --even 2", false);
  EXPECT_THAT(values, ElementsAre(4, 2));
}

TEST(ReadOption, ATextThatIsRefusedIsAnErrorOfItsOption) {
  CLI::App app;
  int value = 0;
  std::vector<int> values;
  add_read(app, "--even", value, read_even, "");
  add_each(app, "VALUE", values, read_even, "");
  EXPECT_EQ(error_of(app, "--even 5"), "--even: \"5\" is odd");
  EXPECT_EQ(error_of(app, "2 7"), "VALUE: \"7\" is odd");
}

}  // namespace
}  // namespace tributary
