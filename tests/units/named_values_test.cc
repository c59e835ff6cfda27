#include "units/text/named_values.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

constexpr std::array kNumbers{Named<int>{"one", 1}, Named<int>{"two", 2}, Named<int>{"", 0}};

TEST(NamedValues, AreFoundByTheWholeName) {
  EXPECT_EQ(value_named(kNumbers, "one"), 1);
  EXPECT_EQ(value_named(kNumbers, "two"), 2);
  EXPECT_EQ(value_named(kNumbers, ""), 0);
  EXPECT_EQ(value_named(kNumbers, "tw"), std::nullopt);
  EXPECT_EQ(value_named(kNumbers, "Two"), std::nullopt);
  EXPECT_EQ(value_named(kNumbers, "two "), std::nullopt);
}

}  // namespace
}  // namespace tributary
