#include "transport/http/retry_after.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "canned_responses.hh"
#include "http2_run.hh"
#include "session_run.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;

const std::string kNow = "Sun, 06 Nov 1994 08:49:37 GMT";
const std::string kSoon = "Sun, 06 Nov 1994 08:49:49 GMT";

TEST(RetryAfter, SecondsAreSeconds) {
  EXPECT_EQ(retry_after("120", ""), 120s);
  EXPECT_EQ(retry_after("0", kNow), 0s);
  EXPECT_EQ(retry_after("99999999999999999999", ""), 24h * 365);
}

TEST(RetryAfter, ADateIsHeldAgainstTheOriginsClockNotOurs) {
  EXPECT_EQ(retry_after(kSoon, kNow), 12s);
  EXPECT_EQ(retry_after(kNow, kSoon), 0s);
  EXPECT_EQ(retry_after(kSoon, ""), std::nullopt);
  EXPECT_EQ(retry_after(kSoon, "yesterday"), std::nullopt);
}

TEST(RetryAfter, WhatIsNeitherSaysNothing) {
  for (const char* text : {"", "soon", "-3", "1.5", "+1", "1 s"})
    EXPECT_EQ(retry_after(text, kNow), std::nullopt) << text;
}

TEST(RetryAfter, ByHttp1ItComesWithTheFailure) {
  for (const auto& [status, asked] : {std::pair{"503 Service Unavailable", std::optional<Duration>{12s}},
                                      {"429 Too Many Requests", 12s},
                                      {"404 Not Found", std::nullopt}}) {
    SessionRun run;
    run.ask(request(1, 0, 10));
    run.receive(response(status, "", "Date: " + kNow + "\r\nRetry-After: " + kSoon + "\r\n"));
    ASSERT_EQ(run.log().failed().size(), 1U);
    EXPECT_EQ(run.log().failed()[0].retry_after, asked) << status;
  }
}

TEST(RetryAfter, ByHttp2Too) {
  Http2Run run;
  run.prove();
  run.ask(request(1, 0, 10));
  run.to_origin();
  run.origin.answer(run.stream_of(1), "503", {{"content-length", "0"}, {"retry-after", "7"}}, "");
  run.talk(false);
  ASSERT_EQ(run.log().failed().size(), 1U);
  EXPECT_EQ(run.log().failed()[0].retry_after, 7s);
  EXPECT_THAT(run.log().failed()[0].detail, ::testing::HasSubstr("Retry-After: 7 s"));
}

}  // namespace
}  // namespace tributary::transport
