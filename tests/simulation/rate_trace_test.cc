#include "simulation/rate_trace.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RateTrace, MahimahiOpportunitiesBecomeRates) {
  // 3 packets in the first 100 ms (one of them just at its end), none in the next, 1 in the last 50 ms.
  const RateTrace trace = parse_rate_trace("10\n50\n100\n250\n");
  EXPECT_EQ(trace.length, 250ms);
  EXPECT_THAT(trace.steps,
              ElementsAre(RateStep{TimePoint{0ms}, 4500_B / Duration{100ms}}, RateStep{TimePoint{100ms}, 0_kbps},
                          RateStep{TimePoint{200ms}, 1500_B / Duration{50ms}}));
}

TEST(RateTrace, CsvEndsAtItsLastLine) {
  const RateTrace expected{{{TimePoint{0s}, 1_Mbps}, {TimePoint{1500ms}, 250_kbps}}, 4s};
  EXPECT_EQ(parse_rate_trace("0,1000\n1.5,250\n4,0\n"), expected);
  EXPECT_EQ(parse_rate_trace("time_s,kbit_s\r\n0,1000\r\n1.5,250\r\n4,0"), expected);
}

TEST(RateTrace, NamesTheLineItRefuses) {
  for (const auto& [text, words] :
       std::vector<std::pair<std::string, std::string>>{{"", "empty"},
                                                        {"0\n", "line 1: \"0\""},
                                                        {"5\n7\n6\n", "line 3: \"6\""},
                                                        {"5\n-7\n", "line 2: \"-7\""},
                                                        {"5\n7 ms\n", "line 2: \"7 ms\""},
                                                        {"0,1000\n", "marks its end"},
                                                        {"1,1000\n2,1000\n", "line 1: \"1,1000\""},
                                                        {"0,1000\n0,1000\n", "line 2: \"0,1000\""},
                                                        {"0,1000\n1,\n", "line 2: \"1,\""},
                                                        {"0,1000\n1000\n", "line 2: \"1000\""},
                                                        {"0,1000\n1,nan\n", "line 2: \"1,nan\""}}) {
    try {
      parse_rate_trace(text);
      ADD_FAILURE() << text << " was taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  }
}

}  // namespace
}  // namespace tributary
