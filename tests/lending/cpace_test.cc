// The exchange of a key by a code: the test vectors of draft-irtf-cfrg-cpace, appendix B (ristretto255, SHA-512), and what
// others send.
#include "lending/cpace.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tributary::lending {
namespace {

using bonding::Bytes;

Bytes from_hex(std::string_view text) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string{text.substr(i, 2)}, nullptr, 16)));
  return bytes;
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span{text});
  return {bytes.begin(), bytes.end()};
}

Cpace::Share share_of(const Bytes& bytes) {
  Cpace::Share share{};
  std::ranges::copy(bytes, share.begin());
  return share;
}

Cpace::Scalar scalar_of(const Bytes& bytes) {
  Cpace::Scalar scalar;
  std::ranges::transform(bytes, scalar.data(), [](std::byte byte) { return std::to_integer<unsigned char>(byte); });
  return scalar;
}

struct CpaceVectors : testing::Test {
  Bytes channel = from_hex("6f630b425f726573706f6e6465720b415f696e69746961746f72");
  Bytes session = from_hex("7e4b4791d6a8ef019b936c79fb7f2c57");
  Cpace::Terms terms{.password = "Password", .channel = channel, .session_id = session};
  Bytes data_a = bytes_of("ADa"), data_b = bytes_of("ADb");
  Cpace a{Cpace::Role::kInitiator, terms, data_a,
          scalar_of(from_hex("da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08"))};
  Cpace b{Cpace::Role::kResponder, terms, data_b,
          scalar_of(from_hex("d2316b454718c35362d83d69df6320f38578ed5984651435e2949762d900b80d"))};
};

TEST_F(CpaceVectors, SharesAreThoseOfTheDraft) {
  EXPECT_EQ(a.share(), share_of(from_hex("d40fb265a7abeaee7939d91a585fe59f7053f982c296ec413c624c669308f87a")));
  EXPECT_EQ(b.share(), share_of(from_hex("08bcf6e9777a9c313a3db6daa510f2d398403319c2341bd506a92e672eb7e307")));
}

TEST_F(CpaceVectors, BothSidesHaveTheKeyOfTheDraft) {
  const Bytes key = from_hex(
      "4c5469a16b2364c4b944ebc1a79e51d1674ad47db26e8718154f59faebfaa52d"
      "8346f30aa58377117eb20d527f2cbc5c76381f7fd372e89df8239f87f2e02ed1");
  const auto of_a = a.key_with(b.share(), data_b), of_b = b.key_with(a.share(), data_a);
  ASSERT_TRUE(of_a && of_b);
  EXPECT_TRUE(std::ranges::equal(of_a->bytes(), key));
  EXPECT_EQ(*of_a, *of_b);
}

TEST_F(CpaceVectors, AShareThatIsNoPointMakesNoKey) {
  EXPECT_FALSE(a.key_with(Cpace::Share{}, data_b)) << "the neutral element";
  Cpace::Share high{};
  high.fill(std::byte{0xff});
  EXPECT_FALSE(a.key_with(high, data_b)) << "no encoding of a point";
}

TEST(Cpace, WhoKnowsAnotherCodeOrTalksWithSomebodyElseHasAnotherKey) {
  const Bytes channel = bytes_of("a and b"), session = bytes_of("once"), other = bytes_of("other");
  const Cpace::Terms terms{.password = "123456", .channel = channel, .session_id = session};
  const Cpace a{Cpace::Role::kInitiator, terms, {}};
  const auto key_of_a = [&](const Cpace& b) { return a.key_with(b.share(), {}); };
  const auto key_of = [&](const Cpace& b) { return b.key_with(a.share(), {}); };
  const auto agree = [&](const Cpace::Terms& theirs) {
    const Cpace b{Cpace::Role::kResponder, theirs, {}};
    return *key_of_a(b) == *key_of(b);
  };
  EXPECT_TRUE(agree(terms));
  EXPECT_FALSE(agree({.password = "123457", .channel = channel, .session_id = session}));
  EXPECT_FALSE(agree({.password = "123456", .channel = other, .session_id = session}));
  EXPECT_FALSE(agree({.password = "123456", .channel = channel, .session_id = other}));
}

TEST(Cpace, LongTermsAreReadWhole) {
  const Bytes channel(300, std::byte{7}), session(200, std::byte{9});
  const std::string password(200, 'x');
  const Cpace::Terms terms{.password = password, .channel = channel, .session_id = session};
  const Cpace a{Cpace::Role::kInitiator, terms, channel}, b{Cpace::Role::kResponder, terms, session};
  EXPECT_EQ(*a.key_with(b.share(), session), *b.key_with(a.share(), channel));
}

}  // namespace
}  // namespace tributary::lending
