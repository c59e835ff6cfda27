// A presentation that grows while it is watched.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include "nginx_server.hh"
#include "presentation/json/json_index.hh"
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
    start_ =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()) - kSegment * before;
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
  /// How many segments; the index says so of the last one at once, or a moment later.
  std::size_t published() const { return published_; }
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
  std::atomic<std::size_t> published_ = 0;
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

Duration end_of(const MediaSegment& segment) { return segment.start + segment.duration; }

class StreamLive : public ::testing::Test {
 protected:
  /// Of a stream that some of was published before, and waits until two segments have come.
  bool open(std::size_t before, Duration ended_after = Stream::Options{}.live_ended_after) {
    server_.emplace(before);
    Stream::Options options;
    options.live_ended_after = ended_after;
    player_.open(server_->url(), options);
    return player_.wait_for_segments(0, 2);
  }

  std::optional<LiveServer> server_;
  VirtualPlayer player_;
};

TEST_F(StreamLive, BeginsNearTheEdgeAndKeepsUp) {
  ASSERT_TRUE(open(20));
  ASSERT_TRUE(player_.wait_for_segments(0, 12));
  EXPECT_TRUE(player_.heard().info->live);
  const std::vector<MediaSegment> come = player_.heard().segments;
  const auto all = numbers(player_.heard(), 0);
  EXPECT_GE(all.front(), 18U);  // of the 20 that there were, three are held back
  expect_in_a_row(all);
  StreamStatus status;
  ASSERT_TRUE(player_.wait_for_status([&](const StreamStatus& s) {
    status = s;
    return s.available >= end_of(come.back());
  }));
  EXPECT_GT(status.window_start, 0s);
  ASSERT_TRUE(status.behind_live);
  EXPECT_LE(*status.behind_live, status.available - come.front().start);
  EXPECT_GE(*status.behind_live, status.available - end_of(player_.heard().segments.back()));
  server_->end();
  ASSERT_TRUE(player_.wait_until_ended(0));
  EXPECT_FALSE(player_.heard().failure);
  expect_in_a_row(numbers(player_.heard(), 0));
}

TEST_F(StreamLive, SeeksWithinTheWindow) {
  ASSERT_TRUE(open(20));
  player_.seek(0s);  // has left the window by now, or will soon: the oldest that there is
  ASSERT_TRUE(player_.wait_for_segments(1, 1));
  EXPECT_LE(numbers(player_.heard(), 1).front(), server_->published() - kWindow + 1);
  ASSERT_TRUE(player_.wait_for_segments(1, 8));
  expect_in_a_row(numbers(player_.heard(), 1));
  const Duration edge = player_.stream().status().available;
  player_.seek(1h);
  ASSERT_TRUE(player_.wait_for_segments(2, 5));
  EXPECT_GE(player_.heard().segments.back().start, edge - 3 * kSegment);
  expect_in_a_row(numbers(player_.heard(), 2));
  EXPECT_FALSE(player_.heard().failure);
}

TEST_F(StreamLive, WhatAPauseOutlastsIsSkipped) {
  ASSERT_TRUE(open(20));
  player_.pause();
  const std::size_t most = Stream::default_session().buffer_segments;
  const Duration wanted_next = end_of(player_.heard().segments.back()) + kSegment * most;  // at the latest
  ASSERT_TRUE(player_.wait_for_status([&](const StreamStatus& s) { return s.window_start > wanted_next; }));
  player_.play();
  ASSERT_TRUE(player_.wait_for([](const Heard& heard) { return !heard.skipped.empty(); }));
  ASSERT_TRUE(player_.wait_for_segments(0, player_.heard().indexes(0).size() + 4));
  EXPECT_FALSE(player_.heard().failure);
}

TEST_F(StreamLive, AnOutageIsWaitedForAndNotTakenForTheEnd) {
  ASSERT_TRUE(open(20, 10 * kSegment));
  server_->set_silent(true);
  const std::size_t before = server_->published();
  ASSERT_TRUE(player_.wait_for_status([](const StreamStatus& s) { return s.stalls > 0; }));
  while (server_->published() < before + 12) std::this_thread::sleep_for(kSegment);
  const std::size_t come = player_.heard().indexes(0).size();
  server_->set_silent(false);
  ASSERT_TRUE(
      player_.wait_for([&](const Heard& heard) { return heard.failure || heard.indexes(0).size() > come + 5; }));
  EXPECT_FALSE(player_.heard().failure);
}

TEST_F(StreamLive, AServerThatForgetsToEndIsAFailure) {
  ASSERT_TRUE(open(5, 5 * kSegment));
  server_->stop();
  ASSERT_TRUE(player_.wait_for([](const Heard& heard) { return heard.failure.has_value(); }));
  EXPECT_EQ(player_.heard().failure->kind, StreamFailure::Kind::kLiveEnded);
}

}  // namespace
}  // namespace tributary
