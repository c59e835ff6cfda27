// The same input in all the ways it may be cut, and input that is broken in all the ways chance finds.
#include <gtest/gtest.h>

#include <random>

#include "canned_responses.hh"
#include "session_run.hh"

namespace tributary::transport {
namespace {

using namespace literals;

/// Answers to the requests of ask_all(), of all kinds that keep the connection.
std::string conversation() {
  return partial_content(0, 40) + "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + partial_content(40, 90) +
         response("503 Service Unavailable", "try again later", "Retry-After: 1\r\n") +
         "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 90-99/*\r\nTransfer-Encoding: chunked\r\n\r\n"
         "4;note=x\r\n" +
         content({90_B, 94_B}) + "\r\n6\r\n" + content({94_B, 100_B}) + "\r\n0\r\nTrailer: y\r\n\r\n" +
         partial_content(100, 120, "Connection: close\r\n");
}

constexpr std::array<std::pair<int, int>, 6> kRanges{{{0, 40}, {40, 90}, {0, 9}, {90, 100}, {100, 120}, {120, 130}}};

/// A session that has proved itself, so that all requests are under way at once.
void ask_all(SessionRun& run) {
  run.ask(request(99, 0, 1));
  run.receive(partial_content(0, 1));
  unsigned id = 0;
  for (const auto& [begin, end] : kRanges) run.ask(request(++id, begin, end));
}

std::vector<std::string> lines_when(const std::function<void(SessionRun&)>& feed) {
  SessionRun run;
  ask_all(run);
  feed(run);
  return run.lines();
}

TEST(Http1SessionInput, MeansTheSameHoweverItIsCut) {
  const std::string input = conversation();
  const auto whole = lines_when([&](SessionRun& run) { run.receive(input); });
  EXPECT_EQ(whole.back(), "done 5");
  EXPECT_EQ(lines_when([&](SessionRun& run) { run.receive_in_pieces(input, 1); }), whole);
  EXPECT_EQ(lines_when([&](SessionRun& run) { run.receive_in_pieces(input, 7); }), whole);
  EXPECT_EQ(lines_when([&](SessionRun& run) { run.receive(input + "GET / HTTP/1.1\r\n\r\n"); }), whole);
  for (std::size_t cut = 0; cut <= input.size(); ++cut) {
    const auto in_two = lines_when([&](SessionRun& run) {
      run.receive(std::string_view{input}.substr(0, cut));
      run.receive(std::string_view{input}.substr(cut));
    });
    ASSERT_EQ(in_two, whole) << "cut at " << cut;
  }
}

TEST(Http1SessionInput, AnEmptyBodyOfChunksMeansTheSameHoweverItIsCut) {
  const std::string input =
      "HTTP/1.1 503 Service Unavailable\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + partial_content(40, 90);
  const auto whole = lines_when([&](SessionRun& run) { run.receive(input); });
  EXPECT_EQ(whole.back(), "done 2");
  EXPECT_EQ(lines_when([&](SessionRun& run) { run.receive_in_pieces(input, 1); }), whole);
}

TEST(Http1SessionInput, WhereverItEndsEveryRequestIsAccountedFor) {
  const std::string input = conversation();
  for (std::size_t length = 0; length <= input.size(); ++length) {
    SessionRun run;
    ask_all(run);
    run.receive(std::string_view{input}.substr(0, length));
    const auto early = run.session().take_unanswered().size();
    run.end(StreamStatus::kReset);
    const auto late = run.session().take_unanswered().size();
    ASSERT_EQ(run.log().open_requests(), static_cast<int>(early + late)) << "cut after " << length;
  }
}

std::string mutate(std::string input, std::mt19937& random) {
  const auto below = [&random](std::size_t n) { return random() % n; };
  for (std::size_t change = 0; change <= below(4); ++change) {
    const std::size_t at = below(input.size());
    switch (below(5)) {
      case 0:
        input[at] = static_cast<char>(below(256));
        break;
      case 1:
        input.erase(at, 1 + below(20));
        break;
      case 2:
        input.insert(at, input.substr(below(input.size()), below(60)));
        break;
      case 3:
        input.insert(at, "\r\n");
        break;
      default:
        input[at] = static_cast<char>('0' + below(10));
        break;
    }
  }
  return input;
}

TEST(Http1SessionInput, BrokenInputBreaksNoPromise) {
  std::mt19937 random{1};
  const std::string input = conversation();
  for (int round = 0; round < 3000; ++round) {
    const std::string broken = mutate(input, random);
    SessionRun run;
    ask_all(run);
    run.receive_in_pieces(broken, 1 + random() % broken.size());
    run.end(StreamStatus::kClosed);
    ASSERT_TRUE(run.session().ended());
    ASSERT_EQ(run.log().open_requests(), static_cast<int>(run.session().take_unanswered().size()));
    ASSERT_FALSE(testing::Test::HasFailure()) << broken;
  }
}

}  // namespace
}  // namespace tributary::transport
