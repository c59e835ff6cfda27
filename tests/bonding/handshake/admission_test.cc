#include "bonding/handshake/admission.hh"

#include <gtest/gtest.h>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

const PublicKey kLaptop{std::byte{1}}, kPhone{std::byte{2}};

TEST(Admission, AHelloMustBeLaterThanAllBeforeIt) {
  Admission admission{{{kLaptop, "laptop"}, {kPhone, "phone"}}};
  EXPECT_TRUE(admission.is_new(kLaptop, HelloTime{100}));
  EXPECT_TRUE(admission.admits(kLaptop, HelloTime{100}, {}));
  EXPECT_FALSE(admission.is_new(kLaptop, HelloTime{100}));
  EXPECT_FALSE(admission.is_new(kLaptop, HelloTime{99}));
  EXPECT_TRUE(admission.is_new(kLaptop, HelloTime{101}));
  EXPECT_TRUE(admission.is_new(kPhone, HelloTime{1})) << "each client has a clock of its own";
}

TEST(Admission, AClientBeginsTenTimesAtOnceAndThenOnceASecond) {
  Admission admission{{{kLaptop, "laptop"}, {kPhone, "phone"}}};
  std::uint64_t time = 0;
  const auto admitted_of = [&](const PublicKey& client, int tries, TimePoint now) {
    int admitted = 0;
    for (int i = 0; i < tries; ++i) admitted += admission.admits(client, HelloTime{++time}, now) ? 1 : 0;
    return admitted;
  };
  EXPECT_EQ(admitted_of(kLaptop, 100, TimePoint{1h}), 10);
  EXPECT_EQ(admitted_of(kPhone, 5, TimePoint{1h}), 5);
  EXPECT_EQ(admitted_of(kLaptop, 100, TimePoint{1h + 3s}), 3);
  EXPECT_EQ(admitted_of(kLaptop, 100, TimePoint{2h}), 10);
}

TEST(Admission, AnotherListKeepsWhatIsKnownOfThoseWhoStay) {
  Admission admission{{{kLaptop, "laptop"}, {kPhone, "phone"}}};
  admission.admits(kLaptop, HelloTime{100}, {});
  admission.let_in({{kLaptop, "laptop"}});
  EXPECT_FALSE(admission.knows(kPhone));
  EXPECT_FALSE(admission.is_new(kLaptop, HelloTime{100}));
  admission.let_in({});
  EXPECT_FALSE(admission.knows(kLaptop));
}

}  // namespace
}  // namespace tributary::bonding
