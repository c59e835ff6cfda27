#include "playback/stream.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "faulty_origin.hh"
#include "loopback_socket.hh"
#include "recording_listener.hh"
#include "stream_origin.hh"
#include "support/at_once.hh"
#include "transport/connections/address_guard.hh"
#include "virtual_player.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::Heard;
using testing::RecordingListener;
using testing::StreamOrigin;
using testing::VirtualPlayer;

TEST(Stream, BringsTheWholePresentationInOrderByteForByte) {
  const StreamOrigin origin{{.segments = 8}};
  VirtualPlayer player;
  player.open(origin.url());
  player.set_speed(4);
  ASSERT_TRUE(player.wait_until_ended(0));
  const Heard heard = player.heard();
  ASSERT_FALSE(heard.failure) << heard.failure->detail;
  ASSERT_TRUE(heard.info);
  EXPECT_EQ(heard.info->qualities, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(heard.info->sounds, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(heard.info->sound, 2U);
  ASSERT_EQ(heard.segments.size(), 8U);
  std::multiset<std::size_t> inits;
  for (std::size_t i = 0; i < heard.segments.size(); ++i) {
    EXPECT_EQ(heard.segments[i].index, static_cast<SegmentIndex>(i));
    EXPECT_EQ(origin.defect_of(heard.segments[i]), "");
    for (const auto& part : heard.segments[i].parts) {
      if (part.init) inits.insert(part.track);
    }
  }
  EXPECT_EQ(inits.count(2), 1U);  // however often the quality changed
  EXPECT_EQ(heard.may_play.front(), 0U);
  ASSERT_TRUE(player.wait_for_status([](const StreamStatus& s) { return !s.links.empty(); }));
  const StreamStatus status = player.stream().status();
  ASSERT_EQ(status.links.size(), 1U);
  EXPECT_EQ(status.links[0].name, "lo");
  EXPECT_EQ(status.links[0].kind, "loopback");
}

TEST(Stream, CookiesAreThoseOfItsTitle) {
  const StreamOrigin origin{
      {.segments = 3},
      {.directives = "location = /index.json { if ($http_cookie) { return 403; } add_header Set-Cookie \"of=title\"; }"
                     "location ~ bin$ { if ($http_cookie != \"of=title\") { return 403; } }"}};
  for (const char* title : {"first", "second"}) {
    VirtualPlayer player;
    player.open(origin.url());
    player.set_speed(4);
    ASSERT_TRUE(player.wait_until_ended(0)) << title;
    const Heard heard = player.heard();
    EXPECT_FALSE(heard.failure) << title << ": " << heard.failure->detail;
    EXPECT_EQ(heard.segments.size(), 3U) << title;
    ASSERT_TRUE(heard.info && heard.info->rules.cookies && heard.info->rules.guard);
    EXPECT_TRUE(heard.info->rules.guard->is_of_manifest(origin.url()));
  }
}

TEST(Stream, SaysWhyItCannotBeOpened) {
  const auto failure_of = [](const std::string& url) {
    RecordingListener listener;
    const Stream stream{url, {}, listener};
    EXPECT_TRUE(listener.wait_for([](const Heard& heard) { return heard.failure.has_value(); }));
    return listener.heard().failure.value_or(StreamFailure{});
  };
  const NginxServer nginx{{}};
  nginx.put("index.json", "{\"format\": \"something\"}");
  const std::string server = fmt::format("http://127.0.0.1:{}", nginx.port());
  using Kind = StreamFailure::Kind;
  EXPECT_EQ(failure_of(server + "/nothing.json").kind, Kind::kNotFound);
  EXPECT_EQ(failure_of(server + "/index.json").kind, Kind::kIndex);
  EXPECT_EQ(failure_of("film.mp4://x").kind, Kind::kNoAddress);
  const StreamFailure refused = failure_of(fmt::format("http://127.0.0.1:{}/index.json", free_port("127.0.0.1")));
  EXPECT_EQ(refused.kind, Kind::kOther);
  EXPECT_NE(refused.what.form.find("refuses"), std::string::npos) << refused.what.form;
  EXPECT_NE(refused.detail.find("lo"), std::string::npos) << refused.detail;
}

TEST(Stream, GoesOnWithoutFilesThatAreMissing) {
  const StreamOrigin origin{{.segments = 10},
                            {.directives = "location = /high/00004.bin { return 403; }"
                                           "location ~ ^/(low|high)/00006.bin { return 404; }"}};
  VirtualPlayer player;
  player.open(origin.url());
  player.stream().choose_quality({QualityIndex{1}});
  player.set_speed(4);
  ASSERT_TRUE(player.wait_until_ended(0));
  const Heard heard = player.heard();
  ASSERT_FALSE(heard.failure) << heard.failure->detail;
  EXPECT_EQ(heard.indexes(0), (std::vector<std::size_t>{0, 1, 2, 3, 4, 6, 7, 8, 9}));
  EXPECT_EQ(heard.segments[3].quality, QualityIndex{0});
  EXPECT_EQ(heard.segments[4].quality, QualityIndex{1});
  for (const MediaSegment& segment : heard.segments) EXPECT_EQ(origin.defect_of(segment), "");
  ASSERT_EQ(heard.skipped.size(), 1U);
  EXPECT_EQ(heard.skipped[0].segment, SegmentIndex{5});
  EXPECT_EQ(heard.skipped[0].missing, "low/00006.bin");
}

TEST(Stream, SaysWhichPartOfATitleIsMissing) {
  const StreamOrigin origin{{.segments = 10}, {.directives = "location ~ /0000[4-9].bin { return 404; }"}};
  VirtualPlayer player;
  player.open(origin.url());
  player.set_speed(4);
  ASSERT_TRUE(player.wait_until_ended(0));
  const Heard heard = player.heard();
  ASSERT_TRUE(heard.failure);
  EXPECT_EQ(heard.failure->kind, StreamFailure::Kind::kPart);
  EXPECT_TRUE(
      heard.failure->what.english().starts_with("127.0.0.1 does not give out a part of the title: http://127.0.0.1:"));
  EXPECT_TRUE(heard.failure->what.english().ends_with(".bin.")) << heard.failure->what.english();
  EXPECT_EQ(heard.skipped.size(), 3U);
}

TEST(Stream, ClosesAtAnyMoment) {
  const StreamOrigin origin{{.segments = 50}};
  std::mt19937 random{1};
  for (int i = 0; i < 50; ++i) {
    RecordingListener listener;
    std::optional<Stream> stream{std::in_place, origin.url(), Stream::Options{}, listener};
    std::this_thread::sleep_for(std::chrono::microseconds{std::uniform_int_distribution{0, 60'000}(random)});
    const auto start = std::chrono::steady_clock::now();
    stream.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - start, testing::kAtOnce);
    EXPECT_FALSE(listener.heard().failure) << listener.heard().failure->detail;
  }
}

TEST(Stream, ClosesWhileTheServerIsSilent) {
  const FaultyOrigin silent{[](const std::string&) {
    return FaultyOrigin::Reply{"", FaultyOrigin::Reply::Then::kSilence};
  }};
  for (const char* scheme : {"http", "https"}) {  // within a response, and within a handshake
    RecordingListener listener;
    std::optional<Stream> stream{std::in_place, fmt::format("{}://127.0.0.1:{}/index.json", scheme, silent.port()),
                                 Stream::Options{}, listener};
    std::this_thread::sleep_for(100ms);
    const auto start = std::chrono::steady_clock::now();
    stream.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - start, testing::kAtOnce);
    EXPECT_FALSE(listener.heard().failure);
  }
}

TEST(Stream, BeginsWithTheSoundThatIsWanted) {
  const StreamOrigin origin{{.segments = 3}};
  const Presentation& title = origin.presentation();
  for (const auto& [wanted, track] : {std::pair{title.tracks[3].id, 3U}, std::pair{std::string{"nothing such"}, 2U}}) {
    VirtualPlayer player;
    player.open(origin.url(), {.sound = wanted});
    ASSERT_TRUE(player.wait_until_ended(0));
    const Heard heard = player.heard();
    EXPECT_EQ(heard.info->sound, track);
    for (const MediaSegment& segment : heard.segments) {
      EXPECT_TRUE(std::ranges::any_of(segment.parts, [&](const auto& part) { return part.track == track; }));
      EXPECT_EQ(origin.defect_of(segment), "");
    }
  }
}

TEST(Stream, TakesTheQualityThatWasChosen) {
  const StreamOrigin origin{{.segments = 12}};
  for (const auto quality : {QualityIndex{0}, QualityIndex{1}}) {
    VirtualPlayer player;
    player.pause();
    player.open(origin.url());
    ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.segments.size() == 6; }));
    player.stream().choose_quality({quality});  // the buffer is full: nothing is being asked for
    player.play();
    ASSERT_TRUE(player.wait_until_ended(0));
    const Heard heard = player.heard();
    for (std::size_t i = 6; i < heard.segments.size(); ++i) EXPECT_EQ(heard.segments[i].quality, quality);
  }
}

TEST(Stream, KeepsWithinTheLinesThatTheUserWants) {
  const StreamOrigin origin{{.segments = 12}};
  const auto begin_with_the_highest = [] {
    Stream::Options options;
    options.session.start = StartRule::kThesis;
    return options;
  };
  for (const auto& [lines, first] : {std::pair{720, QualityIndex{1}}, {719, QualityIndex{0}}, {100, QualityIndex{0}}}) {
    VirtualPlayer player;
    player.open(origin.url(), begin_with_the_highest());
    player.stream().choose_quality({std::nullopt, lines});
    player.set_speed(4);
    ASSERT_TRUE(player.wait_until_ended(0));
    const Heard heard = player.heard();
    EXPECT_EQ(heard.segments.at(0).quality, first) << lines;
    for (const MediaSegment& segment : heard.segments) EXPECT_LE(segment.quality, first) << lines;
  }
}

TEST(Stream, APausedPlayerGetsAFullBufferAndNoMore) {
  const StreamOrigin origin{{.segments = 20}};
  VirtualPlayer player;
  player.pause();
  Stream::Options options;
  options.session.buffer_segments = 4;
  player.open(origin.url(), options);
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.segments.size() == 4; }));
  // For five segments' time; what a link brings now is that of the last second.
  StreamStatus status;
  ASSERT_TRUE(player.wait_for_status([&](const StreamStatus& s) {
    status = s;
    return s.history.size() >= 2 && s.links.at(0).rate_now == DataRate{};
  }));
  EXPECT_EQ(player.heard().segments.size(), 4U);
  EXPECT_EQ(status.buffered, 4 * origin.segment_duration());
  EXPECT_EQ(status.available, 20 * origin.segment_duration());
  EXPECT_FALSE(status.behind_live);
  EXPECT_EQ(status.links.at(0).activity, LinkActivity::kIdle);
  EXPECT_DOUBLE_EQ(status.links.at(0).share, 1);
  EXPECT_GT(status.links.at(0).rate_when_busy, DataRate{}) << "a pause is no loss of rate";
}

}  // namespace
}  // namespace tributary
