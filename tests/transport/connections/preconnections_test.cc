#include "transport/connections/preconnections.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "transport/link_transport.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;

const ByteRange kAhead{DataSize{0}, DataSize{100}};

class PreconnectionsTest : public testing::Test {
 protected:
  PreconnectionsTest() {
    ahead_->begin(over_it());
    const auto give_up = std::chrono::steady_clock::now() + 20s;
    while (!ahead_->is_made("lo") && std::chrono::steady_clock::now() < give_up) loop_.wait(1s);
  }

  LinkRules over_it() const { return {.link = "lo", .preconnections = ahead_}; }

  /// Whether the range comes over a transport that may take what was connected ahead.
  bool fetches_range() {
    const auto transport = make_link_transport(loop_, location_.origin, {"127.0.0.1"}, over_it());
    const auto start = std::chrono::steady_clock::now();
    transport->submit({.id = RequestId{1}, .target = "/x", .range = kAhead, .file_size = {}}, TimePoint{});
    for (Duration now{}; now < 20s; now = std::chrono::steady_clock::now() - start) {
      transport->advance(TimePoint{now});
      while (const auto event = transport->next_event()) {
        if (std::holds_alternative<RequestDone>(*event)) return true;
        if (std::holds_alternative<RequestFailed>(*event)) return false;
      }
      loop_.wait(10ms);
    }
    return false;
  }

  std::optional<FaultyOrigin> origin_{std::in_place,
                                      [](const std::string&) { return FaultyOrigin::Reply{partial_content(0, 100)}; }};
  FileLocation location_ = parse_url(fmt::format("http://127.0.0.1:{}/x", origin_->port()));
  CurlLoop loop_;
  std::shared_ptr<Preconnections> ahead_ =
      std::make_shared<Preconnections>(loop_, location_.origin, std::vector<std::string>{"127.0.0.1"});
};

TEST_F(PreconnectionsTest, TheFirstRequestOverALinkGoesOverTheConnectionThatIsThere) {
  ASSERT_TRUE(ahead_->is_made("lo"));
  EXPECT_TRUE(fetches_range());
  EXPECT_EQ(origin_->connections(), 1);
  EXPECT_FALSE(ahead_->is_made("lo")) << "it has been taken";
  EXPECT_TRUE(fetches_range());
  EXPECT_EQ(origin_->connections(), 2);
}

TEST_F(PreconnectionsTest, OneThatTheServerHasClosedIsOfNoUse) {
  ASSERT_TRUE(ahead_->is_made("lo"));
  origin_.reset();
  loop_.wait(1s);
  EXPECT_EQ(ahead_->take("lo"), nullptr);
}

TEST_F(PreconnectionsTest, OneThatNobodyTakesIsClosedInTime) {
  ahead_->close_late();
  EXPECT_TRUE(ahead_->is_made("lo"));
  std::this_thread::sleep_for(Preconnections::kLongest);
  ahead_->close_late();
  EXPECT_FALSE(ahead_->is_made("lo"));
}

TEST_F(PreconnectionsTest, AnAnswerShowsThatTheServerServesOthersBeside) {
  std::this_thread::sleep_for(Preconnections::kLongest);
  ahead_->answered();
  ahead_->close_late();
  EXPECT_TRUE(ahead_->is_made("lo"));
}

TEST_F(PreconnectionsTest, OverALinkThereIsOne) {
  ahead_->begin(over_it());
  EXPECT_TRUE(ahead_->is_made("lo")) << "it has not begun anew";
}

TEST_F(PreconnectionsTest, OverAnotherLinkThereIsNone) { EXPECT_EQ(ahead_->take("eth0"), nullptr); }

}  // namespace
}  // namespace tributary::transport
