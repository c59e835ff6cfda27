#include "lending/pairing.hh"

#include <gtest/gtest.h>

namespace tributary::lending {
namespace {

using Side = Pairing::Side;

MemberKey key(int number) {
  MemberKey result{};
  result[0] = static_cast<std::byte>(number);
  return result;
}

/// Both sides of one pairing, with what each of them believes.
struct Both {
  Pairing borrower, lender;

  Both(std::string_view borrowers_code, std::string_view lenders_code, Pairing::Ends borrowers_ends,
       Pairing::Ends lenders_ends, const Pairing::SessionId& session = Pairing::new_session())
      : borrower{Side::kBorrower, borrowers_code, borrowers_ends, session},
        lender{Side::kLender, lenders_code, lenders_ends, session} {
    EXPECT_TRUE(borrower.take_share(lender.share()));
    EXPECT_TRUE(lender.take_share(borrower.share()));
  }
  bool agree() const { return lender.is_proved_by(borrower.own_proof()) && borrower.is_proved_by(lender.own_proof()); }
};

const Pairing::Ends kEnds{key(1), key(2)};

TEST(Pairing, BothKnowTheCode) { EXPECT_TRUE((Both{"123456", "123456", kEnds, kEnds}.agree())); }

TEST(Pairing, AWrongCodeProvesNothing) {
  const Both both{"123456", "123457", kEnds, kEnds};
  EXPECT_FALSE(both.lender.is_proved_by(both.borrower.own_proof()));
  EXPECT_FALSE(both.borrower.is_proved_by(both.lender.own_proof()));
}

TEST(Pairing, WhoStandsBetweenBothHasAnotherKey) {
  EXPECT_FALSE((Both{"123456", "123456", {key(1), key(3)}, {key(3), key(2)}}.agree()));
}

TEST(Pairing, AProofIsNotTheOtherSides) {
  const Both both{"123456", "123456", kEnds, kEnds};
  EXPECT_FALSE(both.borrower.is_proved_by(both.borrower.own_proof())) << "a mirror knows no code";
  EXPECT_FALSE(both.lender.is_proved_by(both.lender.own_proof()));
}

TEST(Pairing, ANeutralShareIsRefused) {
  Pairing lender{Side::kLender, "123456", kEnds, Pairing::new_session()};
  EXPECT_FALSE(lender.take_share(Cpace::Share{}));
}

TEST(PairingCode, HasSixDigits) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(read_pairing_code(new_pairing_code()));
}

TEST(PairingCode, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(read_pairing_code("123 456"), "123456");
  EXPECT_EQ(read_pairing_code("123-456"), "123456");
  EXPECT_FALSE(read_pairing_code("12345"));
  EXPECT_FALSE(read_pairing_code("1234567"));
  EXPECT_FALSE(read_pairing_code("12345a"));
  EXPECT_FALSE(read_pairing_code(""));
}

}  // namespace
}  // namespace tributary::lending
