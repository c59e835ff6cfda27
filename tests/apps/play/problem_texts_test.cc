#include "apps/play/texts/problem_texts.hh"

#include <gtest/gtest.h>

#include <stdexcept>

#include "playback/stream_error.hh"

namespace tributary::play {
namespace {

TEST(ProblemTexts, KnowWhateverAStreamSays) {
  const std::string url = "https://origin.example/film/index.json";
  for (int i = 0; i <= static_cast<int>(FailureReason::kAbandoned); ++i)
    EXPECT_TRUE(is_known(ended_early({url, ""}, "", static_cast<FailureReason>(i)).what)) << i;
  const std::runtime_error error{"something. else"};
  for (const StreamFailure& failure :
       {ended_early({url, ""}, "", std::nullopt), live_ended(""), other_failure(url, error), bad_index(url, error)})
    EXPECT_TRUE(is_known(failure.what)) << failure.what;
  EXPECT_FALSE(is_known("There is no server named"));
  EXPECT_FALSE(is_known("Something else."));
}

TEST(ProblemTexts, BlameACertificateOnlyWhereThereWasOne) {
  using Kind = StreamFailure::Kind;
  EXPECT_EQ(ended_early({"https://host/", ""}, "", FailureReason::kTlsVerification).kind, Kind::kCertificate);
  const StreamFailure handshake = ended_early({"https://host/", ""}, "", FailureReason::kTls);
  EXPECT_EQ(handshake.kind, Kind::kOther);
  EXPECT_EQ(handshake.what.find("certificate"), std::string::npos) << handshake.what;
}

TEST(ProblemTexts, WhatIsNotTranslatedStaysAsItIs) {
  for (const char* text :
       {"There is no server named a.b.", "x does not have what was asked for at x/y.", "Something else {}"})
    EXPECT_EQ(translated(std::string{text}), text);
}

}  // namespace
}  // namespace tributary::play
