#include "proxy/server/proxy_server.hh"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "running_server.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;
using namespace literals;
using Clock = std::chrono::steady_clock;

Answer file_answer(const std::shared_ptr<IncomingFile>& file) {
  return {.body = FileBody{.file = file, .content_type = "video/mp4"}};
}

class ProxyServerTest : public testing::Test {
 protected:
  TableHandler handler_;
  std::shared_ptr<IncomingFile> file_ = std::make_shared<IncomingFile>();
  const std::string content_ = some_content(300'000);
};

TEST_F(ProxyServerTest, AnswersOnBothAddressesAndOnOneConnection) {
  handler_.answer("/", {.fields = {{"Content-Type", "text/html"}}, .body = "page"});
  const RunningServer server{handler_};
  for (const char* address : {"127.0.0.1", "::1"}) {
    RawClient client{server.port(), address};
    for (int i = 0; i < 3; ++i) {
      client.send(server.request("GET", "/"));
      const Reply reply = client.reply();
      EXPECT_EQ(reply.status, 200u);
      EXPECT_EQ(reply.body, "page");
      EXPECT_EQ(reply.field("Content-Type"), "text/html");
      EXPECT_EQ(reply.field("Connection"), "-");
    }
  }
  EXPECT_EQ(handler_.requests().at(0).target, "/");
}

TEST_F(ProxyServerTest, AnswersPipelinedRequestsInTheirOrder) {
  handler_.answer("/a", {.body = "first"});
  handler_.answer("/b", file_answer(complete_file("second")));
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/a") + server.request("GET", "/b") + server.request("HEAD", "/b") +
              server.request("GET", "/a", "Connection: close\r\n"));
  EXPECT_EQ(client.reply().body, "first");
  EXPECT_EQ(client.reply().body, "second");
  EXPECT_EQ(client.reply(true).field("Content-Length"), "6");
  EXPECT_EQ(client.reply().body, "first");
  EXPECT_EQ(client.rest(), "");
}

TEST_F(ProxyServerTest, SpeaksToPlayersOfHttp10) {
  handler_.answer("/a", {.body = "text"});
  const RunningServer server{handler_};
  const auto request = [&](const std::string& fields) {
    return "GET " + server.path("/a") + " HTTP/1.0\r\nHost: " + server.host() + "\r\n" + fields + "\r\n";
  };
  RawClient closing = server.client();
  closing.send(request(""));
  EXPECT_EQ(closing.reply().field("Connection"), "close");
  EXPECT_EQ(closing.rest(), "");
  RawClient staying = server.client();
  for (int i = 0; i < 2; ++i) {
    staying.send(request("Connection: keep-alive\r\n"));
    const Reply reply = staying.reply();
    EXPECT_EQ(reply.body, "text");
    EXPECT_EQ(reply.field("Connection"), "keep-alive");
  }
}

TEST_F(ProxyServerTest, SendsNoBodyToHead) {
  handler_.answer("/a", {.body = "text"});
  handler_.answer("/b", file_answer(file_));
  const RunningServer server{handler_};
  file_->size_is(300_kB);  // no byte is here, and none is needed
  RawClient client = server.client();
  client.send(server.request("HEAD", "/a") + server.request("HEAD", "/b", "Range: bytes=0-9\r\n") +
              server.request("GET", "/a"));
  EXPECT_EQ(client.reply(true).field("Content-Length"), "4");
  const Reply reply = client.reply(true);
  EXPECT_EQ(reply.status, 200u);  // a range means nothing to HEAD
  EXPECT_EQ(reply.field("Content-Length"), "300000");
  EXPECT_EQ(reply.field("Accept-Ranges"), "bytes");
  EXPECT_EQ(client.reply().body, "text");
  EXPECT_TRUE(handler_.waits_for_left(1));  // nobody reads the file
}

TEST_F(ProxyServerTest, SendsBytesInOrderWhileTheyCome) {
  handler_.answer("/a", file_answer(file_));
  const RunningServer server{handler_};
  file_->size_is(DataSize{std::ssize(content_)});
  RawClient client = server.client();
  client.send(server.request("GET", "/a"));
  put(*file_, 100'000, content_.substr(100'000));  // of the second link, ahead
  const Reply head = client.head();                // an origin has answered
  EXPECT_EQ(head.status, 200u);
  EXPECT_EQ(head.field("Content-Length"), "300000");
  EXPECT_EQ(head.field("Content-Type"), "video/mp4");
  EXPECT_EQ(head.field("Cache-Control"), "no-store");
  put(*file_, 0, content_.substr(0, 1'000));
  std::string body = *client.some();
  while (body.size() < 1'000) body += *client.some();
  EXPECT_EQ(body.size(), 1'000u);
  put(*file_, 1'000, content_.substr(1'000, 99'000));
  file_->complete();
  while (body.size() < content_.size()) body += *client.some();
  EXPECT_TRUE(body == content_);
  EXPECT_TRUE(handler_.left_files().empty());
}

TEST_F(ProxyServerTest, SendsBytesOfUnknownNumberInChunks) {
  handler_.answer("/a", file_answer(file_));
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/a", "Range: bytes=0-\r\n"));  // as ffmpeg asks for everything
  put(*file_, 0, content_.substr(0, 70'000));
  Reply head = client.head();
  put(*file_, 70'000, content_.substr(70'000));
  file_->complete();
  const Reply reply = client.body(std::move(head));
  EXPECT_EQ(reply.status, 200u);
  EXPECT_EQ(reply.field("Transfer-Encoding"), "chunked");
  EXPECT_TRUE(reply.is_whole);
  EXPECT_TRUE(reply.body == content_);
  client.send(server.request("GET", "/a"));
  EXPECT_EQ(client.reply().field("Content-Length"), "300000");  // now it is known
}

TEST_F(ProxyServerTest, SendsBytesOfUnknownNumberUntilTheEndToHttp10) {
  handler_.answer("/a", file_answer(file_));
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send("GET " + server.path("/a") + " HTTP/1.0\r\nConnection: keep-alive\r\nHost: " + server.host() +
              "\r\n\r\n");
  put(*file_, 0, content_);
  const Reply head = client.head();
  EXPECT_EQ(head.field("Connection"), "close");
  EXPECT_EQ(head.field("Transfer-Encoding"), "-");
  file_->complete();
  EXPECT_TRUE(client.rest() == content_);
  EXPECT_FALSE(client.was_reset());
}

TEST_F(ProxyServerTest, TellsTheStatusOfAFileThatFailsBeforeItsFirstByte) {
  handler_.answer("/a", file_answer(file_));
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/a"));
  file_->size_is(300_kB);  // an index says so; no origin has answered
  std::this_thread::sleep_for(20ms);
  file_->fail(404, "http://origin.example/secret");
  const Reply reply = client.reply();
  EXPECT_EQ(reply.status, 404u);
  EXPECT_EQ(reply.body, "");
  EXPECT_EQ(reply.field("Content-Type"), "-");
  client.send(server.request("GET", "/a"));
  EXPECT_EQ(client.reply().status, 404u);  // on the same connection
  EXPECT_TRUE(handler_.left_files().empty());
}

TEST_F(ProxyServerTest, WhatDoesNotChangeMayBeKeptUnlessItFails) {
  Answer answer = file_answer(complete_file("segment"));
  std::get<FileBody>(answer.body).may_be_kept = true;
  handler_.answer("/a", answer);
  const auto missing = std::make_shared<IncomingFile>();
  missing->fail(404, "not there yet");
  std::get<FileBody>(answer.body).file = missing;
  handler_.answer("/b", answer);
  const RunningServer server{handler_};
  EXPECT_EQ(server.ask("GET", "/a").field("Cache-Control"), "private, max-age=3600");
  EXPECT_EQ(server.ask("GET", "/b").field("Cache-Control"), "no-store");
}

TEST_F(ProxyServerTest, EndsTheConnectionWhenAFileFailsLater) {
  handler_.answer("/sized", file_answer(file_));
  const auto unsized = std::make_shared<IncomingFile>();
  handler_.answer("/unsized", file_answer(unsized));
  const RunningServer server{handler_};
  file_->size_is(300_kB);
  put(*file_, 0, content_.substr(0, 1'000));
  put(*unsized, 0, content_.substr(0, 1'000));
  RawClient sized = server.client();
  RawClient chunked = server.client();
  RawClient old = server.client();
  sized.send(server.request("GET", "/sized"));
  chunked.send(server.request("GET", "/unsized"));
  old.send("GET " + server.path("/unsized") + " HTTP/1.0\r\nHost: " + server.host() + "\r\n\r\n");
  ASSERT_TRUE(handler_.waits_for_requests(3));
  EXPECT_EQ(old.head().status, 200u);
  EXPECT_EQ(sized.head().status, 200u);
  Reply chunked_head = chunked.head();
  file_->fail(504, "no link");
  unsized->fail(504, "no link");
  EXPECT_EQ(sized.rest().size(), 1'000u);  // what is there is sent
  const Reply reply = chunked.body(std::move(chunked_head));
  EXPECT_EQ(reply.body, content_.substr(0, 1'000));
  EXPECT_FALSE(reply.is_whole);
  old.rest();
  EXPECT_TRUE(old.was_reset());  // an end would be that of the file
}

TEST_F(ProxyServerTest, SendsRanges) {
  handler_.answer("/a", file_answer(complete_file("0123456789")));
  const RunningServer server{handler_};
  struct Case {
    std::string range;
    unsigned status;
    std::string body;
    std::string content_range;
  };
  for (const Case& expected : std::initializer_list<Case>{{"bytes=2-4", 206, "234", "bytes 2-4/10"},
                                                          {"bytes=7-", 206, "789", "bytes 7-9/10"},
                                                          {"bytes=0-", 206, "0123456789", "bytes 0-9/10"},
                                                          {"bytes=-3", 206, "789", "bytes 7-9/10"},
                                                          {"bytes=8-200", 206, "89", "bytes 8-9/10"},
                                                          {"bytes=10-", 416, "", "bytes */10"},
                                                          {"bytes=-0", 416, "", "bytes */10"},
                                                          {"bytes=0-1,4-5", 200, "0123456789", "-"},
                                                          {"lines=1-2", 200, "0123456789", "-"},
                                                          {"bytes=4-2", 200, "0123456789", "-"}}) {
    const Reply reply = server.ask("GET", "/a", "Range: " + expected.range + "\r\n");
    EXPECT_EQ(reply.status, expected.status) << expected.range;
    EXPECT_EQ(reply.body, expected.body) << expected.range;
    EXPECT_EQ(reply.field("Content-Range"), expected.content_range) << expected.range;
  }
  EXPECT_EQ(server.ask("GET", "/a", "Range: bytes=0-1\r\nRange: bytes=4-5\r\n").status, 200u);
}

TEST_F(ProxyServerTest, SendsARangeOnlyOfTheVersionThatThePlayerHas) {
  Answer answer = file_answer(complete_file("0123456789"));
  handler_.answer("/plain", answer);
  answer.fields = {{"ETag", "\"1\""}};
  handler_.answer("/strong", answer);
  answer.fields = {{"ETag", "W/\"1\""}};
  handler_.answer("/weak", answer);
  const RunningServer server{handler_};
  const auto status = [&](const std::string& target, const std::string& if_range) {
    return server.ask("GET", target, "Range: bytes=0-1\r\nIf-Range: " + if_range + "\r\n").status;
  };
  EXPECT_EQ(status("/plain", "\"1\""), 200u);
  EXPECT_EQ(status("/plain", "Sun, 06 Nov 1994 08:49:37 GMT"), 200u);
  EXPECT_EQ(status("/strong", "\"1\""), 206u);
  EXPECT_EQ(status("/strong", "\"2\""), 200u);
  EXPECT_EQ(status("/weak", "W/\"1\""), 200u);
}

TEST_F(ProxyServerTest, WaitsForTheSizeWhereARangeNeedsIt) {
  handler_.answer("/a", file_answer(file_));
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/a", "Range: bytes=-5\r\n"));
  put(*file_, 0, "0123456789");
  std::this_thread::sleep_for(20ms);
  file_->complete();
  const Reply reply = client.reply();
  EXPECT_EQ(reply.status, 206u);
  EXPECT_EQ(reply.body, "56789");
}

TEST_F(ProxyServerTest, SendsAPartOfALargerFileAsItIs) {
  Answer answer = file_answer(complete_file("56789"));
  std::get<FileBody>(answer.body).part = FilePart{.begin = 5_B, .whole = 1'000_B};
  handler_.answer("/a", answer);
  const RunningServer server{handler_};
  const Reply reply = server.ask("GET", "/a", "Range: bytes=5-9\r\n");
  EXPECT_EQ(reply.status, 206u);
  EXPECT_EQ(reply.body, "56789");
  EXPECT_EQ(reply.field("Content-Range"), "bytes 5-9/1000");
}

TEST_F(ProxyServerTest, PacesABodyOverAtLeastAHundredMilliseconds) {
  const auto file = complete_file(content_);
  Answer answer = file_answer(file);
  std::get<FileBody>(answer.body).pacing = Pacing{.rate = [] { return 12_Mbps; }};  // 200 ms
  handler_.answer("/200ms", answer);
  std::get<FileBody>(answer.body).pacing = Pacing{.rate = [] { return 12'000_Mbps; }};
  handler_.answer("/100ms", answer);
  const RunningServer server{handler_};
  for (const auto& [target, least] : {std::pair{"/200ms", 200ms}, std::pair{"/100ms", 100ms}}) {
    RawClient client = server.client();
    const Clock::time_point begun = Clock::now();  // the first byte leaves later
    client.send(server.request("GET", target));
    EXPECT_TRUE(client.reply().body == content_);
    EXPECT_GE(Clock::now() - begun, least - 1ms) << target;
  }
}

// A player would measure what links bring while they are measured, and choose by that.
TEST_F(ProxyServerTest, TheFirstAnswerWaitsALittleUntilALinkIsMeasured) {
  const auto paced = [&](const PacedBody::Rate& rate) {
    Answer answer = file_answer(complete_file(content_));
    std::get<FileBody>(answer.body).pacing = Pacing{.rate = rate, .line = std::make_shared<PlayerLine>()};
    return answer;
  };
  handler_.answer("/never", paced([] { return std::nullopt; }));
  handler_.answer("/known", paced([] { return 12'000_Mbps; }));
  const RunningServer server{handler_};
  const auto head_takes = [&](const char* target) {
    RawClient client = server.client();
    const Clock::time_point begun = Clock::now();
    client.send(server.request("GET", target));
    client.head();
    return Clock::now() - begun;
  };
  EXPECT_GE(head_takes("/never"), 299ms);
  Clock::duration soonest = head_takes("/known");  // a busy machine may be late now and then
  for (int i = 0; i < 20 && soonest >= 299ms; ++i) soonest = std::min(soonest, head_takes("/known"));
  EXPECT_LT(soonest, 299ms);
}

TEST_F(ProxyServerTest, LetsALargeAnswerWaitForASmallerOneOfTheSamePlayer) {
  const auto line = std::make_shared<PlayerLine>();
  const auto paced = [&](std::size_t size, Duration patience) {
    Answer answer = file_answer(complete_file(content_.substr(0, size)));
    FileBody& body = std::get<FileBody>(answer.body);
    body.pacing = Pacing{.rate = [] { return 3.2_Mbps; }, .line = line, .patience = patience};
    return answer;
  };
  handler_.answer("/sound", paced(80'000, 10s));  // 200 ms
  handler_.answer("/picture", paced(100'000, 10s));
  handler_.answer("/impatient", paced(120'000, 0s));
  const RunningServer server{handler_};
  RawClient sound = server.client(), picture = server.client(), impatient = server.client();
  const auto asked = Clock::now();
  sound.send(server.request("GET", "/sound"));
  ASSERT_TRUE(handler_.waits_for_requests(1));
  picture.send(server.request("GET", "/picture"));
  impatient.send(server.request("GET", "/impatient"));
  Clock::time_point impatient_begun;
  std::jthread other{[&] {
    impatient.head();
    impatient_begun = Clock::now();
  }};
  picture.head();
  const auto begun = Clock::now();
  other.join();
  EXPECT_GE(begun - asked, 190ms);
  EXPECT_LT(impatient_begun, begun);
}

TEST_F(ProxyServerTest, TellsTheHandlerThatAPlayerHasLeft) {
  handler_.answer("/coming", file_answer(file_));
  const auto large = complete_file(some_content(20'000'000));
  handler_.answer("/large", file_answer(large));
  std::function<void(Answer)> late;
  handler_.react("/late", [&](const Request&, std::function<void(Answer)> done) { late = std::move(done); });
  const RunningServer server{handler_};

  RawClient waiting = server.client();  // for the first byte
  waiting.send(server.request("GET", "/coming"));
  ASSERT_TRUE(handler_.waits_for_requests(1));
  waiting.close();
  ASSERT_TRUE(handler_.waits_for_left(1));
  EXPECT_EQ(handler_.left_files().back(), file_);

  RawClient reading = server.client();  // in the middle of a file that is all there
  reading.send(server.request("GET", "/large"));
  reading.head();
  reading.close();
  ASSERT_TRUE(handler_.waits_for_left(2));
  EXPECT_EQ(handler_.left_files().back(), large);

  RawClient early = server.client();  // before the handler knows the answer
  early.send(server.request("GET", "/late"));
  ASSERT_TRUE(handler_.waits_for_requests(3));
  early.close();
  std::this_thread::sleep_for(100ms);
  late(file_answer(file_));
  ASSERT_TRUE(handler_.waits_for_left(3));
}

TEST_F(ProxyServerTest, TellsTheHandlerThatAPlayerHasLeftBeforeTheAnswer) {
  handler_.react("/held", [](const Request&, const std::function<void(Answer)>&) {});
  const RunningServer server{handler_};
  RawClient waiting = server.client();
  waiting.send(server.request("GET", "/held"));
  ASSERT_TRUE(handler_.waits_for_requests(1));
  const std::stop_token left = handler_.requests().front().left;
  EXPECT_FALSE(left.stop_requested());
  waiting.close();
  EXPECT_TRUE(holds_soon([&] { return left.stop_requested(); }));
}

TEST_F(ProxyServerTest, TellsTheHandlerThatAPlayerDoesNotRead) {
  const std::string content = some_content(2'000'000);  // Linux would take it all
  const auto file = complete_file(content);
  handler_.answer("/a", file_answer(file));
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/a"));
  ASSERT_TRUE(holds_soon([&] { return !handler_.is_read(file); }));
  EXPECT_EQ(client.reply().body, content);
  EXPECT_TRUE(holds_soon([&] { return handler_.is_read(file); }));
}

TEST_F(ProxyServerTest, IsPatientWithAPlayerThatPauses) {
  const std::string content = some_content(20'000'000);
  handler_.answer("/a", file_answer(complete_file(content)));
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/a"));
  std::this_thread::sleep_for(300ms);
  EXPECT_TRUE(client.reply().body == content);
}

TEST_F(ProxyServerTest, GivesUpAPlayerThatNeverReads) {
  handler_.answer("/a", file_answer(complete_file(some_content(20'000'000))));
  ServerOptions options;
  options.limits.unread = 200ms;
  const RunningServer server{handler_, options};
  RawClient client = server.client();
  client.send(server.request("GET", "/a"));
  EXPECT_TRUE(handler_.waits_for_left(1));
}

TEST_F(ProxyServerTest, TellsWhoHasATextThatItIsTheSame) {
  handler_.answer("/a", {.fields = {{"ETag", "\"v1\""}}, .body = "text"});
  const RunningServer server{handler_};
  EXPECT_EQ(server.ask("GET", "/a").body, "text");
  EXPECT_EQ(server.ask("GET", "/a").field("Cache-Control"), "no-cache");
  EXPECT_EQ(server.ask("GET", "/a", "If-None-Match: \"v0\"\r\n").status, 200u);
  RawClient client = server.client();
  client.send(server.request("GET", "/a", "If-None-Match: \"v0\", W/\"v1\"\r\n") + server.request("GET", "/a"));
  const Reply same = client.reply();
  EXPECT_EQ(same.status, 304u);
  EXPECT_EQ(same.field("ETag"), "\"v1\"");
  EXPECT_EQ(client.reply().body, "text");
}

TEST_F(ProxyServerTest, LetsListedPagesReadItsAnswers) {
  handler_.answer("/a", file_answer(complete_file("text")));
  ServerOptions options;
  options.page_origins = {"https://player.example"};
  const RunningServer server{handler_, options};
  const Reply reply = server.ask("GET", "/a", "Origin: https://player.example\r\n");
  EXPECT_EQ(reply.field("Access-Control-Allow-Origin"), "https://player.example");
  EXPECT_NE(reply.field("Access-Control-Expose-Headers").find("CMSD-Dynamic"), std::string::npos);
  EXPECT_EQ(reply.field("Timing-Allow-Origin"), "*");
  EXPECT_EQ(reply.field("Vary"), "Origin");
  EXPECT_EQ(server.ask("GET", "/a").field("Access-Control-Allow-Origin"), "-");

  RawClient client = server.client();
  client.send(server.request("OPTIONS", "/a",
                             "Origin: https://player.example\r\nAccess-Control-Request-Method: GET\r\n"
                             "Access-Control-Request-Private-Network: true\r\n") +
              server.request("GET", "/a"));
  const Reply preflight = client.reply();
  EXPECT_EQ(preflight.status, 204u);
  EXPECT_EQ(preflight.field("Access-Control-Allow-Origin"), "https://player.example");
  EXPECT_EQ(preflight.field("Access-Control-Allow-Methods"), "GET, HEAD");
  EXPECT_EQ(preflight.field("Access-Control-Allow-Private-Network"), "true");
  EXPECT_EQ(client.reply().body, "text");
  EXPECT_EQ(handler_.requests().size(), 3u);  // it need not know of a preflight
}

TEST_F(ProxyServerTest, TakesTheBodyOfAPost) {
  handler_.answer("/links", {.status = 204, .body = ""});
  const RunningServer server{handler_};
  RawClient client = server.client();
  const std::string fields = "Origin: http://" + server.host() + "\r\nContent-Length: 7\r\n";
  client.send(server.request("POST", "/links", fields) + "{\"a\":1}" + server.request("GET", "/none"));
  EXPECT_EQ(client.reply().status, 204u);
  EXPECT_EQ(client.reply().status, 404u);
  EXPECT_EQ(handler_.requests().at(0).body, "{\"a\":1}");
}

TEST_F(ProxyServerTest, SendsEventsUntilThePageLeaves) {
  std::function<bool(std::string)> send;
  std::atomic<bool> begun = false;
  handler_.answer("/events", {.body = EventStream{[&](std::function<bool(std::string)> given) {
                                send = std::move(given);
                                begun = true;
                              }}});
  ServerOptions options;
  options.limits.heartbeat = 50ms;
  const RunningServer server{handler_, options};
  RawClient client = server.client();
  client.send(server.request("GET", "/events"));
  EXPECT_EQ(client.head().field("Content-Type"), "text/event-stream");
  ASSERT_TRUE(holds_soon([&] { return begun.load(); }));
  EXPECT_TRUE(send("data: 1\n\n"));
  std::string events;
  while (events.find(":\n\n", 9) == std::string::npos) events += *client.some();
  EXPECT_NE(events.find("data: 1\n\n"), std::string::npos);
  client.close();
  EXPECT_TRUE(holds_soon([&] { return !send("data: 2\n\n"); }));
}

TEST_F(ProxyServerTest, KeepsNoEventsForAPageThatDoesNotRead) {
  std::function<bool(std::string)> send;
  std::atomic<bool> begun = false;
  handler_.answer("/events", {.body = EventStream{[&](std::function<bool(std::string)> given) {
                                send = std::move(given);
                                begun = true;
                              }}});
  const RunningServer server{handler_};
  RawClient client = server.client();
  client.send(server.request("GET", "/events"));
  ASSERT_TRUE(holds_soon([&] { return begun.load(); }));
  std::size_t sent = 0;
  while (sent < 100'000'000 && send(std::string(100'000, 'x'))) sent += 100'000;
  EXPECT_LT(sent, 100'000'000u);
}

TEST_F(ProxyServerTest, EndsWithAllItsConnections) {
  handler_.answer("/a", file_answer(file_));
  std::function<void(Answer)> late;
  handler_.react("/late", [&](const Request&, std::function<void(Answer)> done) { late = std::move(done); });
  {
    RunningServer server{handler_};
    RawClient idle = server.client();
    RawClient waiting = server.client();
    RawClient asking = server.client();
    waiting.send(server.request("GET", "/a"));
    asking.send(server.request("GET", "/late"));
    ASSERT_TRUE(handler_.waits_for_requests(2));
    server.end();
    EXPECT_EQ(idle.rest(), "");
    EXPECT_EQ(waiting.rest(), "");
  }
  EXPECT_EQ(handler_.left_files().size(), 1u);
  late(file_answer(file_));  // nobody is there any more
  put(*file_, 0, "x");
}

TEST_F(ProxyServerTest, CanBeStoppedBeforeItRuns) {
  ProxyServer server{{}, handler_};
  server.stop();
  server.run();
  EXPECT_TRUE(handler_.requests().empty());
}

TEST_F(ProxyServerTest, RefusesAPortThatIsTaken) {
  ProxyServer first{{}, handler_};
  ServerOptions options;
  options.port = first.port();
  EXPECT_THROW((ProxyServer{options, handler_}), std::system_error);
}

TEST_F(ProxyServerTest, PassesOnWhatTheHandlerThrows) {
  handler_.react("/a", [](const Request&, const std::function<void(Answer)>&) { throw std::logic_error{"a bug"}; });
  ProxyServer server{{}, handler_};
  RawClient client{server.port()};
  const std::string path = server.address().substr(server.address().rfind('/'));
  client.send("GET " + path + "/a HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n\r\n");
  EXPECT_THROW(server.run(), std::logic_error);
}

}  // namespace
}  // namespace tributary::proxy
