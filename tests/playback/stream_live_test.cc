// A presentation that grows while it is watched.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "nginx_server.hh"
#include "presentation/json_index.hh"
#include "virtual_player.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;
using testing::Heard;
using testing::VirtualPlayer;

constexpr auto kSegment = 200ms;
constexpr std::size_t kWindow = 15;

/// Publishes a segment each time one has lasted; the oldest leave the window. Segment n holds the number n, 5000 times.
class LiveServer {
 public:
  explicit LiveServer(std::size_t before) {
    start_ = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()) - kSegment * before;
    for (std::size_t i = 0; i < before; ++i) publish(false);
    thread_ = std::thread{[this] {
      while (!stop_) {
        std::this_thread::sleep_until(start_ + kSegment * (published_ + 1));
        if (stop_) return;
        const bool last = ending_;
        publish(last);
        if (last) return;
      }
    }};
  }
  ~LiveServer() {
    stop_ = true;
    thread_.join();
  }

  void end() { ending_ = true; }
  /// Nothing is published any more.
  void stop() { stop_ = true; }
  /// It looks as if the server were there, and it says nothing.
  void set_silent(bool silent) const { kill(nginx_.process(), silent ? SIGSTOP : SIGCONT); }
  std::string url() const { return fmt::format("http://127.0.0.1:{}/index.json", nginx_.port()); }
  static std::string content(std::size_t number) { return fmt::format("{:04}", number) + std::string(20'000, 'x'); }

 private:
  void publish(bool last) {
    const std::size_t number = ++published_;
    nginx_.put(fmt::format("low/{:05}.bin", number), content(number));
    Track track;
    track.id = track.group = "low";
    track.kind = TrackKind::kData;
    track.timescale = 1000;
    track.uri = "low/{n:05}.bin";
    track.first_number = number - std::min(number, kWindow) + 1;
    track.start = (track.first_number - 1) * kSegment.count();
    track.sizes.assign(std::min(number, kWindow), DataSize{20'004});
    track.durations.assign(std::min(number, kWindow), kSegment.count());
    const DataRate rate = DataSize{20'004} / Duration{kSegment};
    track.bitrate = {rate, rate, rate, rate};
    Presentation presentation;
    presentation.nominal_segment_seconds = 0.2;
    presentation.complete = last;
    presentation.live = LiveWindow{.availability_start = start_, .segments = kWindow, .kept = 5};
    presentation.tracks = {track};
    nginx_.put("index.json", write_index(presentation, "", ""));
  }

  NginxServer nginx_{{}};
  UtcTime start_;
  std::size_t published_ = 0;
  std::atomic<bool> stop_ = false, ending_ = false;
  std::thread thread_;
};

/// The numbers that the server gave them.
std::vector<std::size_t> numbers(const Heard& heard, std::uint32_t generation) {
  std::vector<std::size_t> result;
  for (const MediaSegment& segment : heard.segments) {
    if (segment.generation != generation) continue;
    const auto& bytes = *segment.parts.at(0).bytes;
    const std::string text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    result.push_back(std::stoul(text.substr(0, 4)));
    EXPECT_EQ(text, LiveServer::content(result.back()));
  }
  return result;
}

void expect_in_a_row(const std::vector<std::size_t>& numbers) {
  for (std::size_t i = 1; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], numbers[i - 1] + 1);
}

TEST(StreamLive, BeginsNearTheEdgeAndKeepsUp) {
  LiveServer server{20};
  VirtualPlayer player;
  player.open(server.url());
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.indexes(0).size() >= 12; }));
  EXPECT_TRUE(player.heard().info->live);
  const auto all = numbers(player.heard(), 0);
  EXPECT_GE(all.front(), 18U);  // of the 20 that there were, three are held back
  expect_in_a_row(all);
  const StreamStatus status = player.stream().status();
  ASSERT_TRUE(status.behind_live);
  EXPECT_LT(*status.behind_live, 3s);
  EXPECT_GT(status.available, 4s);
  EXPECT_GT(status.window_start, 0s);
  server.end();
  ASSERT_TRUE(player.wait_until_ended(0));
  EXPECT_FALSE(player.heard().failure);
  expect_in_a_row(numbers(player.heard(), 0));
}

TEST(StreamLive, SeeksWithinTheWindow) {
  LiveServer server{20};
  VirtualPlayer player;
  player.open(server.url());
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.indexes(0).size() >= 2; }));
  player.seek(0s);  // has left the window by now, or will soon: the oldest that there is
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.indexes(1).size() >= 8; }));
  const auto old = numbers(player.heard(), 1);
  EXPECT_LT(old.front(), 12U);
  expect_in_a_row(old);
  player.seek(1h);  // to the edge
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.indexes(2).size() >= 5; }));
  EXPECT_GT(numbers(player.heard(), 2).front(), old.back());
  expect_in_a_row(numbers(player.heard(), 2));
  EXPECT_FALSE(player.heard().failure);
}

TEST(StreamLive, WhatAPauseOutlastsIsSkipped) {
  LiveServer server{20};
  VirtualPlayer player;
  player.open(server.url());
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.indexes(0).size() >= 2; }));
  player.pause();
  std::this_thread::sleep_for(kSegment * (kWindow + 5));
  player.play();
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return !heard.skipped.empty(); }));
  const std::size_t before = player.heard().indexes(0).size();
  ASSERT_TRUE(player.wait_for([&](const Heard& heard) { return heard.indexes(0).size() > before + 3; }));
  EXPECT_FALSE(player.heard().failure);
}

TEST(StreamLive, AnOutageIsWaitedForAndNotTakenForTheEnd) {
  LiveServer server{20};
  Stream::Options options;
  options.live_ended_after = 1s;
  VirtualPlayer player;
  player.open(server.url(), options);
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.indexes(0).size() >= 2; }));
  server.set_silent(true);
  std::this_thread::sleep_for(2500ms);
  const std::size_t before = player.heard().indexes(0).size();
  server.set_silent(false);
  ASSERT_TRUE(player.wait_for([&](const Heard& heard) { return heard.failure || heard.indexes(0).size() > before + 5; }));
  EXPECT_FALSE(player.heard().failure);
  EXPECT_GE(player.stream().status().stalls, 1U);
}

TEST(StreamLive, AServerThatForgetsToEndIsAFailure) {
  LiveServer server{5};
  Stream::Options options;
  options.live_ended_after = 1s;
  VirtualPlayer player;
  player.open(server.url(), options);
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.indexes(0).size() >= 2; }));
  server.stop();
  ASSERT_TRUE(player.wait_for([](const Heard& heard) { return heard.failure.has_value(); }));
  EXPECT_EQ(player.heard().failure->kind, StreamFailure::Kind::kLiveEnded);
}

}  // namespace
}  // namespace tributary
