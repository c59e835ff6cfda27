#include "lend/places.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary::lending {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MemberKey key(int number) {
  MemberKey result{};
  result[3] = static_cast<std::byte>(number);
  return result;
}

class PlacesTest : public ::testing::Test {
 protected:
  /// A stranger that stays.
  Places::Place* come(const std::string& address) {
    const std::string name = fmt::format("{} #{}", address, ++numbers_[address]);
    open_.push_back(places_.take(address, [this, name] { closed_.push_back(name); }));
    return open_.back().get();
  }
  void come(const std::string& address, int number) {
    for (int i = 0; i < number; ++i) come(address);
  }

  Places places_{4'096};
  std::vector<std::unique_ptr<Places::Place>> open_;
  std::map<std::string, int> numbers_;
  std::vector<std::string> closed_;
};

TEST_F(PlacesTest, ANewStrangerTakesThePlaceOfTheOldestOfItsAddress) {
  come("eve", static_cast<int>(Places::kStrangersOfOne));
  EXPECT_THAT(closed_, IsEmpty());
  EXPECT_TRUE(come("eve"));
  EXPECT_TRUE(come("eve"));
  EXPECT_THAT(closed_, ElementsAre("eve #1", "eve #2"));
}

TEST_F(PlacesTest, OrOfTheAddressThatHasTheMost) {
  come("newcomer");
  for (int i = 0; i < 3; ++i) come(fmt::format("eve{}", i), 8);
  come("mallory", 7);
  EXPECT_THAT(closed_, IsEmpty());
  EXPECT_TRUE(come("another"));
  EXPECT_THAT(closed_, ElementsAre("eve0 #1")) << "the newcomer is older, and alone";
}

TEST_F(PlacesTest, StrangersTakeNoPlaceOfMembersNorMembersOneOfStrangers) {
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(come("anna")->is_of(key(1)));
  for (int i = 0; i < 50; ++i) come(fmt::format("eve{}", i));
  EXPECT_EQ(closed_.size(), 50 - Places::kStrangers);
  EXPECT_TRUE(come("anna")->is_of(key(1)));
  EXPECT_TRUE(come("bert")->is_of(key(2)));
  EXPECT_EQ(closed_.size(), 51 - Places::kStrangers) << "for bert, who was none before his key was known";
}

TEST_F(PlacesTest, ThoseOfAMembersAddressMayBeMany) {
  ASSERT_TRUE(come("anna")->is_of(key(1)));
  come("anna", 40);
  EXPECT_THAT(closed_, IsEmpty());
  come("anna", static_cast<int>(Places::kOfMember) - 41);
  EXPECT_EQ(come("anna"), nullptr);
}

TEST_F(PlacesTest, AMemberHasNoMoreThanItsOwn) {
  for (std::size_t i = 0; i < Places::kOfMember; ++i) {
    const std::string address = fmt::format("anna{}", i % 30);
    EXPECT_TRUE(come(address)->is_of(key(1)));
  }
  EXPECT_FALSE(come("anna")->is_of(key(1)));
  EXPECT_TRUE(come("bert")->is_of(key(2)));
}

TEST_F(PlacesTest, WithFewDescriptorsAMemberLeavesSomeToOthers) {
  Places few{400};
  std::vector<std::unique_ptr<Places::Place>> taken;
  const auto number_of = [&](const MemberKey& member) {
    int number = 0;
    while (true) {
      taken.push_back(few.take("home", [] {}));
      if (!taken.back() || !taken.back()->is_of(member)) return number;
      ++number;
    }
  };
  const int first = number_of(key(1));
  EXPECT_LT(first, 72 / 2);
  EXPECT_GT(number_of(key(2)), first / 2);
}

TEST_F(PlacesTest, OneThatWasGivenToAnotherIsNobodysAnyMore) {
  Places::Place* const first = come("eve");
  come("eve", static_cast<int>(Places::kStrangersOfOne));
  EXPECT_THAT(closed_, ElementsAre("eve #1"));
  EXPECT_FALSE(first->is_of(key(1)));
}

TEST_F(PlacesTest, OneThatHasGoneCanBeTakenAgain) {
  come("eve", static_cast<int>(Places::kStrangersOfOne));
  open_.pop_back();
  come("eve");
  EXPECT_THAT(closed_, IsEmpty());
}

}  // namespace
}  // namespace tributary::lending
