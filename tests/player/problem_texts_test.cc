#include "player/texts/problem_texts.hh"

#include <gtest/gtest.h>

#include "playback/stream_error.hh"

namespace tributary::play {
namespace {

TEST(ProblemTexts, BlameACertificateOnlyWhereThereWasOne) {
  using Kind = StreamFailure::Kind;
  EXPECT_EQ(ended_early({"https://host/", ""}, "", FailureReason::kTlsVerification).kind, Kind::kCertificate);
  const StreamFailure handshake = ended_early({"https://host/", ""}, "", FailureReason::kTls);
  EXPECT_EQ(handshake.kind, Kind::kOther);
  EXPECT_EQ(handshake.what.form.find("certificate"), std::string::npos) << handshake.what.form;
}

TEST(ProblemTexts, HaveTheirValuesWithoutATranslation) {
  EXPECT_EQ(text_of(sentence("There is no server named {}.", "a.b")), "There is no server named a.b.");
  EXPECT_EQ(text_of(verbatim("somebody else's {}")), "somebody else's {}");
  const ProblemText text = text_of(PlayerProblem{true, "It ends.", {}, "why"});
  EXPECT_EQ(text.what, "It ends.");
  EXPECT_EQ(text.advice, "");
  EXPECT_EQ(text.detail, "why");
}

TEST(ProblemTexts, AnotherLanguageMayHaveValuesInAnotherOrder) {
  EXPECT_EQ(sentence("{} of {}", "1", "2").in("von {1}: {0}"), "von 2: 1");
}

}  // namespace
}  // namespace tributary::play
