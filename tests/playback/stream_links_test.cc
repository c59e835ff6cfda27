#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/at_once.hh"
#include "two_links.hh"
#include "virtual_player.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::Heard;
using testing::TwoLinks;
using testing::VirtualPlayer;

/// Each test has a thread of its own, which leaves our network namespace for good.
class StreamLinks : public ::testing::Test {
 protected:
  void with_two_links(const std::function<void(TwoLinks&)>& test) {
    bool allowed = true;
    std::thread{[&] {
      try {
        TwoLinks links{{.segments = 40}};
        test(links);
        player_.close();
      } catch (const TwoLinks::NotAllowed&) {
        allowed = false;
      }
    }}.join();
    if (!allowed) GTEST_SKIP() << "no network namespace of our own is allowed here";
  }

  bool wait_for_status(const std::function<bool(const StreamStatus&)>& what) {
    if (player_.wait_for_status(what)) return true;
    for (const LinkStatus& link : player_.stream().status().links)
      ADD_FAILURE() << link.name << ": " << static_cast<int>(link.activity) << ", " << link.why;
    return false;
  }
  static LinkStatus link(const StreamStatus& status, const std::string& name) {
    for (const LinkStatus& l : status.links) {
      if (l.name == name) return l;
    }
    return {};
  }
  LinkStatus link(const std::string& name) { return link(player_.stream().status(), name); }
  bool wait_for_bytes(const std::string& name, DataSize more = DataSize{1}) {
    const DataSize before = link(name).received;
    return wait_for_status([&](const StreamStatus& s) { return link(s, name).received >= before + more; });
  }
  /// At the beginning both are asked. Later one of them may be left out, if it has seemed slow on a loaded machine.
  bool wait_until_both_have_brought_something() {
    return wait_for_status([](const StreamStatus& s) {
      return link(s, "wifi").received > DataSize{} && link(s, "lte").received > DataSize{};
    });
  }
  bool play_to_the_end(const TwoLinks& links) {
    player_.set_speed(8);
    const bool ended = player_.wait_until_ended(0);
    const Heard heard = player_.heard();
    EXPECT_EQ(heard.segments.size(), 40U);
    for (const MediaSegment& segment : heard.segments) EXPECT_EQ(links.origin().defect_of(segment), "");
    return ended && !heard.failure;
  }

  VirtualPlayer player_;
};

TEST_F(StreamLinks, OneGoesAndReturns) {
  with_two_links([&](TwoLinks& links) {
    player_.open(links.url());
    player_.set_speed(0.5);  // 2.4 s are buffered
    ASSERT_TRUE(wait_until_both_have_brought_something());
    links.set_carrier("wifi", false);
    ASSERT_TRUE(wait_for_status([](const auto& s) { return link(s, "wifi").activity == LinkActivity::kDown; }));
    EXPECT_EQ(link("wifi").why, "no carrier");
    ASSERT_TRUE(wait_for_bytes("lte"));
    links.set_carrier("wifi", true);
    ASSERT_TRUE(wait_for_bytes("wifi"));
    EXPECT_EQ(player_.stream().status().stalls, 0U);
    EXPECT_TRUE(play_to_the_end(links));
  });
}

TEST_F(StreamLinks, OneIsSwitchedOffBeforeItComesAndLater) {
  with_two_links([&](TwoLinks& links) {
    links.set_carrier("lte", false);
    player_.open(links.url());
    player_.stream().use_link("lte", LinkUse::kDoNotUse);
    ASSERT_TRUE(wait_for_bytes("wifi"));
    links.set_carrier("lte", true);
    ASSERT_TRUE(wait_for_status([](const auto& s) { return link(s, "lte").activity == LinkActivity::kOff; }));
    EXPECT_EQ(link("lte").use, LinkUse::kDoNotUse);
    ASSERT_TRUE(wait_for_bytes("wifi", DataSize{100'000}));
    EXPECT_EQ(link("lte").received, DataSize{});
    player_.stream().use_link("lte", LinkUse::kUse);
    ASSERT_TRUE(wait_for_bytes("lte"));
    player_.stream().use_link("wifi", LinkUse::kDoNotUse);
    ASSERT_TRUE(wait_for_status([](const auto& s) { return link(s, "wifi").activity == LinkActivity::kOff; }));
    const DataSize received = link("wifi").received;
    EXPECT_TRUE(play_to_the_end(links));
    EXPECT_EQ(link("wifi").received, received);
  });
}

TEST_F(StreamLinks, OneIsForWhenItIsNeeded) {
  with_two_links([&](TwoLinks& links) {
    player_.open(links.url());
    player_.stream().use_link("lte", LinkUse::kWhenNeeded);
    ASSERT_TRUE(wait_for_bytes("wifi", DataSize{300'000}));
    EXPECT_EQ(link("lte").received, DataSize{});
    EXPECT_EQ(link("lte").activity, LinkActivity::kStandby);
    EXPECT_EQ(link("lte").why, "the other links keep up");
    links.set_carrier("wifi", false);
    ASSERT_TRUE(wait_for_bytes("lte", DataSize{100'000}));
    links.set_carrier("wifi", true);
    ASSERT_TRUE(wait_for_status([](const auto& s) { return link(s, "lte").activity == LinkActivity::kStandby; }));
    EXPECT_TRUE(play_to_the_end(links));
  });
}

TEST_F(StreamLinks, ThereIsNoneAtFirst) {
  with_two_links([&](TwoLinks& links) {
    links.set_carrier("wifi", false);
    links.set_carrier("lte", false);
    Stream::Options options;
    options.links = {"wifi", "lte"};
    player_.open(links.url(), options);
    ASSERT_TRUE(
        wait_for_status([](const auto& s) { return s.waiting_for.find("wifi: no carrier") != std::string::npos; }));
    links.set_carrier("lte", true);
    ASSERT_TRUE(player_.wait_for([](const Heard& heard) { return heard.info.has_value(); }));
    ASSERT_TRUE(wait_for_bytes("lte"));
    EXPECT_EQ(player_.stream().status().waiting_for, "");
    links.set_carrier("wifi", true);
    EXPECT_TRUE(wait_for_bytes("wifi"));
    EXPECT_TRUE(play_to_the_end(links));
  });
}

TEST_F(StreamLinks, AllGoAndOneReturns) {
  with_two_links([&](TwoLinks& links) {
    player_.open(links.url());
    ASSERT_TRUE(wait_until_both_have_brought_something());
    links.set_carrier("wifi", false);
    links.set_carrier("lte", false);
    ASSERT_TRUE(wait_for_status([](const auto& s) {
      return s.last_stall && !s.last_stall->over && s.last_stall->reason.cause == StallReason::Cause::kNoLink;
    }));
    links.set_carrier("lte", true);
    EXPECT_TRUE(play_to_the_end(links));
  });
}

TEST_F(StreamLinks, OneIsUnpluggedAndPluggedInAgain) {
  with_two_links([&](TwoLinks& links) {
    player_.open(links.url());
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(wait_for_bytes("wifi"));
      links.unplug("wifi");
      ASSERT_TRUE(wait_for_status([](const auto& s) { return link(s, "wifi").activity == LinkActivity::kDown; }));
      ASSERT_TRUE(wait_for_bytes("lte"));
      links.plug("wifi");
    }
    ASSERT_TRUE(wait_for_bytes("wifi"));
    EXPECT_TRUE(play_to_the_end(links));
  });
}

TEST_F(StreamLinks, OneThatIsDownFromTheStartIsShown) {
  with_two_links([&](TwoLinks& links) {
    links.set_carrier("wifi", false);
    Stream::Options options;
    options.links = {"wifi", "lte", "usb"};
    player_.open(links.url(), options);
    ASSERT_TRUE(wait_for_bytes("lte"));
    EXPECT_EQ(link("wifi").activity, LinkActivity::kDown);
    EXPECT_EQ(link("wifi").why_down, "no carrier");
    EXPECT_EQ(link("usb").why_down, "no such interface");
    links.set_carrier("wifi", true);
    ASSERT_TRUE(wait_for_bytes("wifi"));
    EXPECT_EQ(player_.stream().status().links.size(), 3U);
    EXPECT_TRUE(play_to_the_end(links));
  });
}

TEST_F(StreamLinks, ThereIsNoneForTooLong) {
  with_two_links([&](TwoLinks& links) {
    links.set_carrier("wifi", false);
    links.set_carrier("lte", false);
    Stream::Options options;
    options.session.give_up_after = 700ms;
    player_.open(links.url(), options);
    ASSERT_TRUE(player_.wait_for([](const Heard& heard) { return heard.failure.has_value(); }));
    EXPECT_EQ(player_.heard().failure->kind, StreamFailure::Kind::kNoLink);
  });
}

TEST_F(StreamLinks, AStallIsExplained) {
  with_two_links([&](TwoLinks& links) {
    player_.open(links.url());
    player_.stream().use_link("lte", LinkUse::kDoNotUse);
    ASSERT_TRUE(wait_for_bytes("wifi", DataSize{300'000}));
    links.set_silent("wifi", true);
    ASSERT_TRUE(wait_for_status([](const auto& s) { return link(s, "wifi").activity == LinkActivity::kSuspect; }));
    EXPECT_NE(link("wifi").why.find("no byte for "), std::string::npos) << link("wifi").why;
    ASSERT_TRUE(wait_for_status([](const auto& s) { return s.last_stall && !s.last_stall->over; }));
    EXPECT_EQ(player_.stream().status().last_stall->reason.cause, StallReason::Cause::kNoLink);  // that may be used
    EXPECT_NE(player_.stream().status().last_stall->detail.find("on wifi owes"), std::string::npos)
        << player_.stream().status().last_stall->detail;
    player_.stream().use_link("lte", LinkUse::kUse);
    ASSERT_TRUE(wait_for_status([](const auto& s) { return s.last_stall && s.last_stall->over; }));
    const StallStatus stall = *player_.stream().status().last_stall;
    EXPECT_GT(stall.length, 0s);
    EXPECT_NE(stall.detail.find(" late, due at "), std::string::npos) << stall.detail;
    EXPECT_TRUE(play_to_the_end(links));
  });
}

TEST_F(StreamLinks, ClosingWaitsForNobody) {
  with_two_links([&](TwoLinks& links) {
    for (const std::string& url : {TwoLinks::url_of_nobody(), std::string{"http://origin.example/index.json"}}) {
      for (const auto after : {10ms, 300ms}) {
        player_.open(url);
        std::this_thread::sleep_for(after);
        const auto start = std::chrono::steady_clock::now();
        player_.close();
        EXPECT_LT(std::chrono::steady_clock::now() - start, testing::kAtOnce) << url;
      }
    }
    EXPECT_FALSE(player_.heard().info);
    links.set_silent("wifi", true);
  });
}

}  // namespace
}  // namespace tributary
