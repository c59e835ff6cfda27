#include "player/texts/link_texts.hh"

#include <gtest/gtest.h>

#include "made_up_title.hh"
#include "player/play_options.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/track_names.hh"
#include "player/texts/trouble_texts.hh"

namespace tributary::play {
namespace {

using namespace literals;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(LinkTexts, HowManyLinksCarryIt) {
  EXPECT_EQ(summary_text({}), "No link leads to the server");
  const auto summary = [](const char* title) {
    return summary_text(
        testing::MadeUpTitle{std::string{"http://made.up/"} + title + "/index.json"}.status(seconds{1}, {}));
  };
  EXPECT_EQ(summary("two-links"), "2 links carry this video together");
  EXPECT_EQ(summary("dead-link"), "Mobile network carries this video alone");
  EXPECT_EQ(summary("stalled"), "No link works at the moment");
  StreamStatus alike = testing::MadeUpTitle{"http://made.up/dead-link/index.json"}.status(seconds{1}, {});
  alike.links[0].kind = alike.links[1].kind;
  EXPECT_EQ(summary_text(alike), "wwan0 carries this video alone");
  alike.links[0].share = 0.45;  // it failed a moment ago: the bar still shows it
  EXPECT_EQ(summary_text(alike), "wwan0 alone now, wlan0 until lately");
}

TEST(LinkTexts, AStallThatLasts) {
  const TimePoint now{seconds{100}};
  EXPECT_EQ(stall_time_text({.at = TimePoint{seconds{90}}, .length = seconds{4}, .over = true}, now),
            "6.0 s ago, for 4.0 s");
  EXPECT_EQ(stall_time_text({.at = TimePoint{seconds{97}}, .length = seconds{3}, .over = false}, now),
            "now, for 3.0 s so far");
}

TEST(TroubleTexts, OfAStall) {
  const std::vector<std::string> qualities{"360p", "720p"};
  const auto text = [&](const StallReason& reason, bool over = true) {
    StreamStatus status = testing::MadeUpTitle{"http://made.up/two-links/index.json"}.status(seconds{1}, {});
    status.last_stall = StallStatus{.at = {}, .length = seconds{1}, .over = over, .reason = reason};
    return stall_text(status, qualities);
  };
  using enum StallReason::Cause;
  StallReason reason;
  EXPECT_EQ(text(reason), "The next part of the video was late.");
  reason.cause = kNoLink;
  EXPECT_EQ(text(reason), "No link worked.");
  EXPECT_EQ(text(reason, false), "No link works. It goes on by itself as soon as one does.");
  reason.cause = kUsedUp;
  reason.link = "wwan0";
  EXPECT_EQ(text(reason, false),
            "Mobile network (wwan0) has brought all that its cap allows, and no other link works.");
  reason.cause = kLinkSlow;
  reason.link = "wlan0";
  reason.rate = 200_kbps;
  reason.expected = 3_Mbps;
  reason.remedy = StallReason::Remedy::kOtherLink;
  reason.other_link = "wwan0";
  EXPECT_EQ(text(reason),
            "Wi-Fi (wlan0) brought the next part of the video at 200 kbit/s only; 3.0 Mbit/s were expected of it. Over "
            "Mobile network (wwan0) it would have come in time.");
  reason.cause = kLinkLost;
  reason.remedy = StallReason::Remedy::kLowerQuality;
  reason.quality = QualityIndex{0};
  EXPECT_EQ(
      text(reason),
      "Wi-Fi (wlan0) went away while it was bringing the next part of the video. In a lower quality, 360p, it would "
      "have come in time.");
}

TEST(Costs, OfALink) {
  LinkStatus link;
  link.name = "wwan0";
  link.kind = "cellular";
  link.received = DataSize{14'000'000};
  EXPECT_EQ(cost_text(link), "");
  link.cost.kind = CostKind::kMetered;
  EXPECT_EQ(cost_question_text(link), "Mobile network · wwan0 is metered.");
  EXPECT_EQ(cost_text(link), "Mobile network · wwan0: " + size_text(link.received));
  link.cost.cap = DataSize{500'000'000};
  link.cost.used_before = DataSize{106'000'000};
  EXPECT_EQ(cost_text(link), "Mobile network · wwan0: " + size_text(link.received) + " · " +
                                 size_text(DataSize{120'000'000}) + " of " + size_text(DataSize{500'000'000}) +
                                 " used");
  link.cost = {};
  link.cost.kind = CostKind::kPaid;
  link.cost.price_per_mb = 0.05;
  EXPECT_EQ(cost_question_text(link), "Mobile network · wwan0 costs 0.05 for each MB.");
  EXPECT_EQ(cost_text(link), "Mobile network · wwan0: " + size_text(link.received) + ", which cost 0.70");
}

TEST(TroubleTexts, OfALinkThatDoesNotWork) {
  LinkStatus link;
  EXPECT_EQ(why_text(link), "");
  link.activity = LinkActivity::kDown;
  link.why_down = "no carrier";
  EXPECT_EQ(why_text(link), "No cable, or no signal.");
  link.why_down = "something new";
  EXPECT_EQ(why_text(link), "something new");
  link.activity = LinkActivity::kAvoided;
  link.failure = FailureReason::kRefused;
  EXPECT_EQ(why_text(link), "The server refused the connection; it is not used any more.");
  link.avoided_for = seconds{3};
  EXPECT_EQ(why_text(link), "The server refused the connection; tried again in 3.0 s.");
  link.activity = LinkActivity::kSuspect;
  link.silent = milliseconds{2300};
  link.outstanding_bytes = DataSize{40'000};
  EXPECT_NE(why_text(link).find("Nothing has come for 2.3 s; 40.0"), std::string::npos) << why_text(link);
}

TEST(TrackNames, NoTwoOfAKindAreCalledTheSame) {
  StreamInfo info = testing::MadeUpTitle{"http://made.up/two-links/index.json"}.info();
  EXPECT_EQ(track_names(info).qualities, (std::vector<std::string>{"240p", "480p", "720p", "1080p"}));
  EXPECT_EQ(track_names(info).sounds[1].name, "German");
  info.presentation.tracks[5].label.language = "en-GB";
  info.presentation.tracks[1].height = 720;
  EXPECT_EQ(track_names(info).sounds[1].name, "English · audio-2");
  EXPECT_EQ(track_names(info).qualities[1], "720p · medium");
  Track &second = info.presentation.tracks[1], &third = info.presentation.tracks[2];
  second.id = "720p";  // as playlists of HLS are named, which have no names of their own
  third.id = "720p-2";
  second.bitrate.average = DataRate::bits_per_second(1.2e6);
  third.bitrate.average = DataRate::bits_per_second(3.5e6);
  EXPECT_EQ(track_names(info).qualities[1], "720p · 1.2 Mbit/s");
  EXPECT_EQ(track_names(info).qualities[2], "720p · 3.5 Mbit/s");
  third.bitrate = second.bitrate;
  EXPECT_EQ(track_names(info).qualities[2], "720p · 720p-2");
  info.presentation.tracks[5].label.roles = {TrackRole::kCommentary};
  EXPECT_EQ(track_names(info).sounds[1].name, "English · commentary");
  info.presentation.tracks[5].label.name = "Director's cut";
  EXPECT_EQ(track_names(info).sounds[1].name, "English · Director's cut");
  info.presentation.tracks[5].label = {};
  EXPECT_EQ(track_names(info).sounds[1].name, "audio-2");
}

TEST(PlayOptions, Positions) {
  EXPECT_EQ(parse_position("90"), seconds{90});
  EXPECT_EQ(parse_position("12:34"), seconds{754});
  EXPECT_EQ(parse_position("1:02:03.5"), milliseconds{3'723'500});
  for (const char* wrong : {"", ":", "1:", "1:60", "1:2:3:4", "-1", "1.5:00", "a", "1e9", "99999999"}) {
    EXPECT_THROW(parse_position(wrong), std::invalid_argument) << wrong;
  }
}

}  // namespace
}  // namespace tributary::play
