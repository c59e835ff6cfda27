#include "proxy/held/held_answers.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "canned_responses.hh"
#include "faulty_origin.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;
using Then = FaultyOrigin::Reply::Then;
using Phase = IncomingFile::Phase;

constexpr const char* kChunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Waits until it holds; false after 20 s.
bool soon(const std::function<bool()>& condition) {
  for (int i = 0; i < 2'000 && !condition(); ++i) std::this_thread::sleep_for(10ms);
  return condition();
}

/// Holds what is asked for with "_HLS_", and answers all else.
class HeldAnswersTest : public ::testing::Test {
 protected:
  FaultyOrigin::Reply reply(const std::string& head) {
    if (head.starts_with("GET /grows")) return {std::string{kChunked} + "5\r\nfront\r\n", Then::kSilence};
    if (head.starts_with("GET /ends")) return {std::string{kChunked} + "5\r\nfront\r\n3\r\nend\r\n0\r\n\r\n"};
    if (head.find("_HLS_") == std::string::npos) return {transport::response("200 OK", "#EXTM3U\n")};
    ++held_;
    return {"", Then::kSilence};
  }
  std::string url(const std::string& target) const {
    return fmt::format("http://127.0.0.1:{}/{}", origin_.port(), target);
  }

  HeldDocument document(HeldAnswers& answers, const std::string& target) {
    std::promise<HeldDocument> promise;
    answers.document(url(target), {}, {}, [&](HeldDocument document) { promise.set_value(std::move(document)); });
    return promise.get_future().get();
  }
  static std::string text_of(const IncomingFile& file) {
    std::string text(static_cast<std::size_t>(file.progress().there.bytes()), '\0');
    text.resize(file.read(DataSize{}, std::as_writable_bytes(std::span{text})));
    return text;
  }

  std::atomic<int> held_ = 0;
  FaultyOrigin origin_{[this](const std::string& head) { return reply(head); }};
};

TEST_F(HeldAnswersTest, WaitSideBySide) {
  constexpr int kHeld = 20;
  std::atomic<int> failed = 0;
  {
    HeldAnswers answers{{}};
    for (int i = 0; i < kHeld; ++i)
      answers.document(url(fmt::format("list.m3u8?_HLS_msn={}", i)), 10s, {},
                       [&](const HeldDocument& document) { failed += document.file ? 0 : 1; });
    EXPECT_TRUE(soon([&] { return held_ == kHeld; }));
    EXPECT_EQ(document(answers, "list.m3u8").file->bytes, "#EXTM3U\n");
    EXPECT_EQ(failed, 0);
  }
  EXPECT_EQ(failed, kHeld) << "what has not come fails";
}

TEST_F(HeldAnswersTest, EndWhenThePlayerLeaves) {
  HeldAnswers answers{{}};
  std::stop_source left;
  std::promise<HeldDocument> promise;
  answers.document(url("list.m3u8?_HLS_msn=1"), 10s, left.get_token(),
                   [&](HeldDocument document) { promise.set_value(std::move(document)); });
  EXPECT_TRUE(soon([&] { return held_ == 1; }));
  left.request_stop();
  EXPECT_EQ(promise.get_future().get().status, 503U);
}

TEST_F(HeldAnswersTest, AreBounded) {
  std::atomic<int> refused = 0;
  HeldAnswers answers{{}};
  for (std::size_t i = 0; i < HeldAnswers::kMost + 3; ++i)
    answers.document(url("list.m3u8?_HLS_msn=1"), 10s, {},
                     [&](const HeldDocument& document) { refused += document.status == 503 ? 1 : 0; });
  EXPECT_EQ(refused, 3);
}

TEST_F(HeldAnswersTest, OfFilesAreThereByteByByte) {
  HeldAnswers answers{{}};
  const auto file = std::make_shared<IncomingFile>();
  answers.file(1, {.url = url("grows"), .held_for = 10s, .file = file});
  EXPECT_TRUE(soon([&] { return text_of(*file) == "front"; }));
  EXPECT_EQ(file->progress().phase, Phase::kComing);
  answers.not_wanted(1);
  EXPECT_TRUE(soon([&] { return file->progress().phase == Phase::kFailed; }));
}

TEST_F(HeldAnswersTest, OfFilesTellTheirEnd) {
  HeldAnswers answers{{}};
  const auto file = std::make_shared<IncomingFile>();
  answers.file(1, {.url = url("ends"), .held_for = 10s, .file = file});
  EXPECT_TRUE(soon([&] { return file->progress().phase == Phase::kComplete; }));
  EXPECT_EQ(text_of(*file), "frontend");
  DataSize carried;
  for (const auto& [link, size] : answers.carried()) carried += size;
  EXPECT_EQ(carried, DataSize{8});
}

TEST_F(HeldAnswersTest, OverLinksThatCostSomethingAreLeftToOthers) {
  HeldAnswers answers{{.known = [](const std::string& /*link*/) { return HeldLink{.costs = true}; }}};
  std::promise<void> handed_on;
  answers.file(1, {.url = url("ends"), .held_for = 10s, .file = std::make_shared<IncomingFile>(), .otherwise = [&] {
                     handed_on.set_value();
                   }});
  handed_on.get_future().get();
}

}  // namespace
}  // namespace tributary::proxy
