#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <thread>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "proxy/titles/proxied_title.hh"
#include "system/utc_now.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;
using Then = FaultyOrigin::Reply::Then;
using Phase = IncomingFile::Phase;

constexpr auto kList =
    "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PART-INF:PART-TARGET=0.5\n"
    "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5\n#EXTINF:2,\n0.mp4\n"
    "#EXT-X-PART:DURATION=0.5,URI=\"1.0.mp4\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"1.1.mp4\"\n";

bool soon(const std::function<bool()>& condition) {
  for (int i = 0; i < 2'000 && !condition(); ++i) std::this_thread::sleep_for(10ms);
  return condition();
}

/// An origin that holds what is not there yet, and sends a segment while it makes it. It knows no ranges.
class LowLatencyTitleTest : public ::testing::Test {
 protected:
  FaultyOrigin::Reply reply(const std::string& head) {
    const auto asks_for = [&](const char* what) { return head.find(what) != std::string::npos; };
    if (asks_for("_HLS_msn") || asks_for("/1.1.mp4")) {
      ++held_;
      return {"", Then::kSilence};
    }
    if (asks_for(".m3u8")) return {transport::response("200 OK", kList)};
    if (asks_for(".mpd")) return {transport::response("200 OK", mpd())};
    if (asks_for("/grows")) {
      ++growing_;
      return {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfront\r\n", Then::kSilence};
    }
    return {transport::response("200 OK", "part")};
  }
  /// Its first segment is made for most of a minute.
  static std::string mpd() {
    return fmt::format(
        "<MPD type=\"dynamic\" availabilityStartTime=\"{}\"><Period start=\"PT0S\"><AdaptationSet mimeType=\"video/mp4\">"
        "<SegmentTemplate duration=\"50\" media=\"grows$Number$\" availabilityTimeOffset=\"50\" "
        "availabilityTimeComplete=\"false\"/><Representation id=\"v\" bandwidth=\"800000\"/></AdaptationSet></Period></MPD>",
        utc_text(utc_now()));
  }

  std::shared_ptr<ProxiedTitle> title(const std::string& manifest) {
    const std::string url = fmt::format("http://127.0.0.1:{}/{}", origin_.port(), manifest);
    return std::make_shared<ProxiedTitle>(1, "", PlayersManifest{url}, LinkWishes{}, ProxyRules{}, documents_);
  }
  static std::future<Answer> ask(ProxiedTitle& title, const std::string& target, std::stop_token left = {}) {
    const auto promise = std::make_shared<std::promise<Answer>>();
    title.handle({.method = "GET", .target = target, .left = std::move(left)},
                 [promise](Answer answer) { promise->set_value(std::move(answer)); });
    return promise->get_future();
  }
  static std::string beside(const ProxiedTitle& title, const std::string& name) {
    return title.target().substr(0, title.target().rfind('/') + 1) + name;
  }
  static std::string there(const Answer& answer) {
    const auto& file = *std::get<FileBody>(answer.body).file;
    std::string text(static_cast<std::size_t>(file.progress().there.bytes()), '\0');
    text.resize(file.read(DataSize{}, std::as_writable_bytes(std::span{text})));
    return text;
  }

  std::atomic<int> held_ = 0, growing_ = 0;
  FaultyOrigin origin_{[this](const std::string& head) { return reply(head); }};
  Documents documents_;
};

TEST_F(LowLatencyTitleTest, PlaylistsThatAreHeldHoldBackNothingElse) {
  constexpr int kHeld = 20;
  const auto live = title("list.m3u8");
  ask(*live, live->target()).get();
  std::vector<std::future<Answer>> held;
  for (int i = 0; i < kHeld; ++i) held.push_back(ask(*live, live->target() + "?_HLS_msn=1&_HLS_part=1"));
  EXPECT_TRUE(soon([&] { return held_ == kHeld; }));
  EXPECT_EQ(ask(*live, live->target()).get().status, 200U);
  EXPECT_TRUE(soon([part = ask(*live, beside(*live, "1.0.mp4")).get()] { return there(part) == "part"; }));
}

TEST_F(LowLatencyTitleTest, APlayerThatLeavesWaitsForNoPlaylist) {
  const auto live = title("list.m3u8");
  ask(*live, live->target()).get();
  std::stop_source left;
  auto held = ask(*live, live->target() + "?_HLS_msn=1&_HLS_part=1", left.get_token());
  EXPECT_TRUE(soon([&] { return held_ == 1; }));
  left.request_stop();
  EXPECT_EQ(held.get().status, 503U);
}

TEST_F(LowLatencyTitleTest, APartThatIsAnnouncedIsAskedForOnceAndWhole) {
  const auto live = title("list.m3u8");
  ask(*live, live->target()).get();
  const Answer first = ask(*live, beside(*live, "1.1.mp4")).get();
  const Answer second = ask(*live, beside(*live, "1.1.mp4")).get();
  EXPECT_EQ(std::get<FileBody>(first.body).file, std::get<FileBody>(second.body).file);
  EXPECT_FALSE(std::get<FileBody>(first.body).pacing);
  EXPECT_TRUE(soon([&] { return held_ == 1; }));
}

TEST_F(LowLatencyTitleTest, ASegmentThatGrowsIsThereFromItsFirstByteOn) {
  const auto live = title("live.mpd");
  ask(*live, live->target()).get();
  const Answer grows = ask(*live, beside(*live, "grows1")).get();
  EXPECT_TRUE(soon([&] { return there(grows) == "front"; }));
  const FileBody& body = std::get<FileBody>(grows.body);
  EXPECT_EQ(body.file->progress().phase, Phase::kComing);
  EXPECT_FALSE(body.pacing) << "it comes at the pace at which it is made";
  EXPECT_EQ(field(grows.fields, "CMSD-Dynamic"), std::nullopt) << "one link brings it";
  EXPECT_EQ(growing_, 1);
  live->left(body.file);
  EXPECT_TRUE(soon([&] { return body.file->progress().phase == Phase::kFailed; }));
}

}  // namespace
}  // namespace tributary::proxy
