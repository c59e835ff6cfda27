#include "worlds/discovery/live_origin.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "manifests/manifest.hh"
#include "presentation/json/json_index.hh"
#include "transport/connections/address_guard.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// Published by now, and one more is due.
Presentation with_segments(std::size_t count) {
  Track track;
  track.id = track.group = "low";
  track.kind = TrackKind::kData;
  track.timescale = 1000;
  track.uri = "low/{n:05}.bin";
  track.sizes.assign(count, DataSize{1000});
  track.durations.assign(count, 200);
  const DataRate rate = DataSize{1000} / Duration{200ms};
  track.bitrate = {rate, rate, rate, rate};
  Presentation presentation;
  presentation.nominal_segment_seconds = 0.2;
  presentation.complete = false;
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  presentation.live = LiveWindow{.availability_start = now - 1h, .segments = 100, .kept = 5};
  presentation.tracks = {track};
  return presentation;
}

/// Says that it is busy so often, and for how long; then there is a further segment.
class BusyOrigin {
 public:
  BusyOrigin(int times, std::string retry_after) : times_{times}, retry_after_{std::move(retry_after)} {}

  std::string folder() const { return fmt::format("http://127.0.0.1:{}/", server_.port()); }
  LiveOrigin::Options options() const { return {.url = folder() + "index.json"}; }
  int requests() const { return requests_; }
  int conditional_requests() const { return conditional_requests_; }

 private:
  int times_;
  std::string retry_after_;
  std::atomic<int> requests_ = 0, conditional_requests_ = 0;
  FaultyOrigin server_{[this](const std::string& head) -> FaultyOrigin::Reply {
    if (head.find("If-None-Match: \"v1\"") != std::string::npos) ++conditional_requests_;
    if (++requests_ <= times_)
      return {transport::response("503 Service Unavailable", "later", "Retry-After: " + retry_after_ + "\r\n")};
    return {transport::response("200 OK", write_index(with_segments(3), "", ""), "ETag: \"v1\"\r\n")};
  }};
};

/// Follows the index in real time.
class Follower {
 public:
  Follower(const BusyOrigin& busy, std::vector<std::string> links) : Follower{busy, std::move(links), busy.options()} {}
  /// Counts the requests of one origin, and follows by these options.
  Follower(const BusyOrigin& counted, std::vector<std::string> links, LiveOrigin::Options options)
      : busy_{counted}, links_{std::move(links)}, origin_{loop_, with_segments(2), std::move(options)} {}

  /// Until the origin has had so many requests, and has been understood; how long that took.
  Duration follow_until(int requests) {
    for (bool last = false;;) {
      origin_.advance(now(), links_, happened_);
      const auto deadline = origin_.next_deadline();
      if (last && deadline && *deadline - now() < 50s) return now().time_since_epoch();  // nothing is under way
      last = busy_.requests() >= requests;
      loop_.wait(std::clamp<Duration>(deadline.value_or(now()) - now(), 1ms, 100ms));
    }
  }
  /// Follows until it asks the session to end.
  std::string why_it_ends() {
    while (true) {
      origin_.advance(now(), links_, happened_);
      for (const TimedEvent& happened : happened_) {
        if (const auto* stop = std::get_if<event::StopRequested>(&happened.event)) return stop->why;
      }
      loop_.wait(10ms);
    }
  }
  Duration left() const { return *origin_.next_deadline() - now(); }
  bool has_news() const {
    return std::ranges::any_of(
        happened_, [](const TimedEvent& e) { return std::holds_alternative<event::SegmentAdded>(e.event); });
  }

 private:
  TimePoint now() const {
    return TimePoint{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_)};
  }

  const BusyOrigin& busy_;
  std::vector<std::string> links_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  transport::CurlLoop loop_;
  LiveOrigin origin_;
  std::deque<TimedEvent> happened_;
};

TEST(LiveOrigin, LeavesABusyOriginAloneForAsLongAsItAsks) {
  const BusyOrigin busy{1, "1"};
  Follower follower{busy, {"lo"}};
  EXPECT_GE(follower.follow_until(2), 1s);
  EXPECT_TRUE(follower.has_news());
}

TEST(LiveOrigin, AsksAtAnotherAddressAfterAFailure) {
  const BusyOrigin busy{1000, "0"}, other{0, ""};
  LiveOrigin::Options options = busy.options();
  options.alternatives.add({busy.folder(), other.folder()});
  Follower follower{other, {"lo"}, options};
  follower.follow_until(2);
  EXPECT_TRUE(follower.has_news());
  EXPECT_EQ(busy.requests(), 1) << "it is not asked again while the other one answers";
}

TEST(LiveOrigin, FetchesADocumentAgainOnlyIfItHasChanged) {
  const BusyOrigin busy{0, ""};
  Follower follower{busy, {"lo"}};
  follower.follow_until(3);
  EXPECT_EQ(busy.conditional_requests(), busy.requests() - 1);
}

TEST(LiveOrigin, ButNotForEver) {
  const BusyOrigin busy{1, "86400"};
  Follower follower{busy, {"lo"}};
  follower.follow_until(1);
  EXPECT_GT(follower.left(), 15s);
  EXPECT_LE(follower.left(), 30s);
}

TEST(LiveOrigin, EndsAtOnceWhereATitleOfTheInternetLeadsToThisMachine) {
  const BusyOrigin near{0, ""};
  LiveOrigin::Options options = near.options();
  options.rules.guard = std::make_shared<transport::AddressGuard>("http://example.org/index.json");
  options.rules.guard->title_is_of_internet();
  options.give_up_after = 5s;
  Follower follower{near, {""}, options};
  const std::string why = follower.why_it_ends();
  EXPECT_NE(why.find("127.0.0.1 is an address of this machine or its network"), std::string::npos) << why;
  EXPECT_EQ(why.find("the index could not be fetched for"), std::string::npos) << why;
  EXPECT_EQ(near.requests(), 0);
}

TEST(LiveOrigin, AsksOverTheOtherLinkMeanwhile) {
  const BusyOrigin busy{1, "86400"};
  Follower follower{busy, {"lo", ""}};
  follower.follow_until(2);
  EXPECT_TRUE(follower.has_news());
}

/// Two qualities of a live title, of which the second one is not there. The first grows with each request.
class HalfALadder {
 public:
  std::string url(const std::string& file) const { return fmt::format("http://127.0.0.1:{}/{}", server_.port(), file); }
  static std::string playlist(int last) {
    std::string text = fmt::format("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:{}\n", last - 2);
    for (int i = last - 2; i <= last; ++i) text += fmt::format("#EXTINF:1,\n{}.ts\n", i);
    return text;
  }
  /// As if both had been there at first.
  Opened opened() const {
    const std::string master =
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180\nlow.m3u8\n"
        "#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360\nhigh.m3u8\n";
    return open_manifest(master, url("master.m3u8"), [](std::span<const WantedFile> wanted) {
      std::vector<FetchedFile> files;
      for (const WantedFile& file : wanted) files.push_back({.url = file.url, .bytes = playlist(10)});
      return files;
    });
  }

 private:
  std::atomic<int> last_ = 10;
  FaultyOrigin server_{[this](const std::string& head) -> FaultyOrigin::Reply {
    if (head.starts_with("GET /low.m3u8 ")) return {transport::response("200 OK", playlist(++last_))};
    return {transport::response("404 Not Found", "")};
  }};
};

TEST(LiveOrigin, GoesOnWithoutADocumentThatFailsBesideOthers) {
  const HalfALadder site;
  const Opened opened = site.opened();
  std::vector<std::string> notes;
  transport::CurlLoop loop;
  LiveOrigin origin{
      loop,
      opened.presentation,
      {.url = site.url("master.m3u8"), .tell = [&](TimePoint, const std::string& n) { notes.push_back(n); }},
      opened.live.get()};
  std::deque<TimedEvent> happened;
  const auto start = std::chrono::steady_clock::now();
  const auto is_added = [](const TimedEvent& e) { return std::holds_alternative<event::SegmentAdded>(e.event); };
  while (std::ranges::count_if(happened, is_added) < 2) {
    const TimePoint now{std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start)};
    origin.advance(now, {"lo"}, happened);
    ASSERT_TRUE(origin.next_deadline()) << "it ended";
    loop.wait(std::clamp<Duration>(*origin.next_deadline() - now, 1ms, 100ms));
  }
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(notes.front().starts_with("left out: 360p: ")) << notes.front();
  EXPECT_NE(notes.front().find("404"), std::string::npos) << notes.front();
}

}  // namespace
}  // namespace tributary
