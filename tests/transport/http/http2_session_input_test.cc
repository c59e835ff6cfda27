// What a hostile or broken origin may send, in all the ways it may be cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "canned_responses.hh"
#include "http2_run.hh"

namespace tributary::transport {
namespace {

using testing::ElementsAre;

enum FrameType : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kSettings = 4,
  kPushPromise = 5,
  kPing = 6,
  kContinuation = 9
};

/// RFC 9113 section 4.1.
std::string frame(FrameType type, std::uint8_t flags, std::int32_t stream, const std::string& payload) {
  const auto byte = [](std::size_t value) { return static_cast<char>(value & 0xff); };
  const std::size_t size = payload.size();
  const auto number = static_cast<std::size_t>(stream);
  return std::string{byte(size >> 16),   byte(size >> 8),    byte(size),        byte(type),  byte(flags),
                     byte(number >> 24), byte(number >> 16), byte(number >> 8), byte(number)} +
         payload;
}

/// A session with a request under way on stream 1.
void begin(Http2Run& run) {
  run.ask(request(1, 0, 10));
  run.talk(false);
}

TEST(Http2SessionInput, GarbageFailsTheRequestAndEndsTheConnection) {
  for (const std::string garbage : {"HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n\r\n",
                                    "\x16\x03\x01\x02\x05\x01\x01\xfc\x03\x03\x7f\x7f"}) {
    Http2Run run;
    run.ask(request(1, 0, 10));
    run.to_origin();
    run.receive(garbage);
    EXPECT_THAT(run.lines(), ElementsAre("failed 1: protocol")) << garbage;
    EXPECT_TRUE(run.session().ended());
  }
}

TEST(Http2SessionInput, APushIsRefused) {
  Http2Run run;
  begin(run);
  run.receive(frame(kPushPromise, 4, 1, std::string("\0\0\0\2\x82", 5)));
  EXPECT_THAT(run.lines(), ElementsAre("failed 1: protocol"));
  EXPECT_TRUE(run.session().ended());
}

TEST(Http2SessionInput, ALongHeadIsNotGarbageAndATooLongOneFailsAlone) {
  Http2Session::Limits limits;
  limits.framing.head = DataSize{32 * 1024};  // nghttp2's server sends no more than 64 kB
  for (const auto& [size, line] : {std::pair{30'000, "done 1"}, {34'000, "failed 1: protocol"}}) {
    Http2Run run{limits};
    begin(run);
    Http2Origin::Fields fields{{"content-range", "bytes 0-9/1000"}};
    for (int left = size; left > 0; left -= 1000) fields.emplace_back("x", std::string(1000, 'x'));
    run.origin.answer(run.stream_of(0), "206", fields, content({DataSize{0}, DataSize{10}}));
    run.talk(false);
    EXPECT_EQ(run.lines().back(), line);
    EXPECT_TRUE(run.session().accepts_request());
  }
}

TEST(Http2SessionInput, AHeadWithoutEndIsCutOff) {
  Http2Run run;
  begin(run);
  run.receive(frame(kHeaders, 0, 1, ""));
  for (int i = 0; i < 100 && !run.session().ended(); ++i) run.receive(frame(kContinuation, 0, 1, ""));
  EXPECT_TRUE(run.session().ended());
  EXPECT_THAT(run.lines(), ElementsAre("failed 1: protocol"));
}

TEST(Http2SessionInput, AFloodOfPingsOrSettingsIsNotAnsweredWithoutEnd) {
  for (const std::string& flood : {frame(kPing, 0, 0, std::string(8, 'x')), frame(kSettings, 0, 0, "")}) {
    Http2Run run;
    begin(run);
    for (int i = 0; i < 10'000 && !run.session().ended(); ++i) run.receive(flood);  // and takes nothing from us
    EXPECT_TRUE(run.session().ended());
  }
}

TEST(Http2SessionInput, MoreThanWasGrantedEndsTheConnection) {
  Http2Run run;
  begin(run);
  run.origin.answer(run.stream_of(0), "206", {{"content-range", "bytes 0-9/1000"}}, "01234");
  std::string bytes = run.origin.send();
  bytes += frame(kData, 0, 1, std::string(16'000, 'x'));
  run.receive(bytes);
  run.to_origin();
  run.end(StreamStatus::kClosed);
  EXPECT_EQ(run.log().done().size(), 0u);
}

/// What an origin says to five requests, after the first.
std::string conversation(Http2Run& run) {
  run.prove();
  for (unsigned id = 1; id <= 5; ++id) run.ask(request(id, 0, static_cast<int>(id) * 300));
  run.to_origin();
  run.origin.answer(run.stream_of(1), "503", {{"content-length", "5"}}, "later");
  for (const std::size_t i : {2u, 3u, 4u}) run.origin.answer(run.origin.requests()[i]);
  run.origin.go_away(run.stream_of(4));
  return run.origin.send();
}

TEST(Http2SessionInput, MeansTheSameHoweverItIsCut) {
  Http2Run whole;
  whole.receive(conversation(whole));
  EXPECT_EQ(whole.lines().back(), "done 4");
  EXPECT_THAT(whole.handed_back(), ElementsAre(RequestId{5}));
  for (const std::size_t piece : {1u, 2u, 7u, 1000u}) {
    Http2Run run;
    const std::string input = conversation(run);
    for (std::size_t at = 0; at < input.size(); at += piece) run.receive(std::string_view{input}.substr(at, piece));
    EXPECT_EQ(run.lines(), whole.lines()) << "in pieces of " << piece;
    EXPECT_THAT(run.handed_back(), ElementsAre(RequestId{5}));
  }
}

TEST(Http2SessionInput, WhereverItEndsEveryRequestIsAccountedFor) {
  Http2Run measured;
  const std::size_t size = conversation(measured).size();
  for (std::size_t length = 0; length <= size; length += 7) {
    Http2Run run;
    run.receive(conversation(run).substr(0, length));
    const auto early = run.handed_back().size();
    run.end(StreamStatus::kReset);
    const auto late = run.handed_back().size();
    ASSERT_EQ(run.log().open_requests(), static_cast<int>(early + late)) << "cut after " << length;
  }
}

TEST(Http2SessionInput, BrokenInputBreaksNoPromise) {
  std::mt19937 random{1};
  for (int round = 0; round < 1000; ++round) {
    Http2Run run;
    std::string input = conversation(run);
    for (unsigned change = 0; change <= random() % 4; ++change) {
      // Heads lie near the beginning: half of the changes go there.
      const std::size_t at = random() % (random() % 2 == 0 ? input.size() : 300);
      switch (random() % 3) {
        case 0:
          input[at] = static_cast<char>(random());
          break;
        case 1:
          input.erase(at, 1 + random() % 20);
          break;
        default:
          input.insert(at, input.substr(random() % input.size(), random() % 60));
          break;
      }
    }
    const std::size_t piece = 1 + random() % input.size();
    for (std::size_t at = 0; at < input.size(); at += piece) run.receive(std::string_view{input}.substr(at, piece));
    const auto early = run.handed_back().size();
    run.end(StreamStatus::kClosed);
    ASSERT_TRUE(run.session().ended());
    ASSERT_EQ(run.log().open_requests(), static_cast<int>(early + run.handed_back().size()));
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

}  // namespace
}  // namespace tributary::transport
