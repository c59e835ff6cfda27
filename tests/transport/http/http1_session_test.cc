#include "transport/http/http1_session.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "canned_responses.hh"
#include "session_run.hh"

namespace tributary::transport {
namespace {

using namespace literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// What comes of a request for bytes 100 to 200 that is answered like this, and whether the connection can go
/// on.
struct Outcome {
  std::vector<std::string> lines;
  bool connection_usable;
  std::string detail;
};
Outcome answer_with(const std::string& response, const RangeRequest& asked = request(1, 100, 200)) {
  SessionRun run;
  run.ask(asked);
  run.receive(response);
  const auto& failed = run.log().failed();
  return {run.lines(), run.session().accepts_request(), failed.empty() ? "" : failed.front().detail};
}

/// The outcome of a request that failed before any byte was given.
void expect_failure(const std::string& response, const std::string& reason, bool usable_afterwards) {
  const Outcome outcome = answer_with(response);
  EXPECT_THAT(outcome.lines, ElementsAre("failed 1: " + reason)) << response;
  EXPECT_EQ(outcome.connection_usable, usable_afterwards) << response;
}

TEST(Http1Session, AsksForOneRangeInPlainForm) {
  SessionRun run;
  run.ask(request(1, 100, 200));
  EXPECT_EQ(run.sent(),
            "GET /movie/low.mp4 HTTP/1.1\r\nHost: origin.example\r\nRange: bytes=100-199\r\n"
            "Accept: */*\r\nAccept-Encoding: identity\r\nUser-Agent: tributary\r\n\r\n");
  EXPECT_EQ(run.sent(), "");
}

TEST(Http1Session, GivesTheBytesOfAPartialResponse) {
  SessionRun run;
  run.ask(request(1, 100, 200));
  run.receive(partial_content(100, 200));
  EXPECT_THAT(run.lines(), ElementsAre("began 1", "bytes 1: 100", "done 1"));
  EXPECT_EQ(run.log().bytes(RequestId{1}), content({100_B, 200_B}));
}

TEST(Http1Session, PipelinesOnlyAfterTheFirstGoodPartialResponse) {
  SessionRun run;
  for (const unsigned id : {1, 2, 3}) run.ask(request(id, 0, 10));
  EXPECT_THAT(run.sent(), testing::StartsWith("GET"));
  EXPECT_EQ(run.sent(), "");
  const std::string first = partial_content(0, 10);
  run.receive(first.substr(0, first.size() - 10));  // the head is enough
  const std::string pipelined = run.sent();
  EXPECT_NE(pipelined.find("GET"), pipelined.rfind("GET"));
}

TEST(Http1Session, AnswersInTheOrderOfTheRequests) {
  SessionRun run;
  for (const unsigned id : {1, 2, 3}) run.ask(request(id, 0, 10));
  run.receive(partial_content(0, 10));
  run.receive(partial_content(0, 10) + partial_content(0, 10));
  EXPECT_THAT(run.lines(), ElementsAre("began 1", "bytes 1: 10", "done 1", "began 2", "bytes 2: 10", "done 2",
                                       "began 3", "bytes 3: 10", "done 3"));
}

TEST(Http1Session, PassesOverInterimResponses) {
  const Outcome outcome = answer_with("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" +
                                      partial_content(100, 200));
  EXPECT_THAT(outcome.lines, ElementsAre("began 1", "bytes 1: 100", "done 1"));
}

TEST(Http1Session, UnderstandsAChunkedPartialResponse) {
  const std::string head =
      "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 100-199/*\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string body = "3c\r\n" + content({100_B, 160_B}) + "\r\n28\r\n" + content({160_B, 200_B}) + "\r\n";
  EXPECT_THAT(answer_with(head + body + "0\r\n\r\n").lines, ElementsAre("began 1", "bytes 1: 100", "done 1"));
  EXPECT_THAT(answer_with(head + "3c\r\n" + content({100_B, 160_B}) + "\r\n0\r\n\r\n").lines,
              ElementsAre("began 1", "bytes 1: 60", "failed 1: range-mismatch"));
  const Outcome longer = answer_with(head + body + "1\r\nx\r\n0\r\n\r\n");
  EXPECT_THAT(longer.lines, ElementsAre("began 1", "bytes 1: 100", "done 1"));
  EXPECT_FALSE(longer.connection_usable);
}

TEST(Http1Session, AShorterRangeIsGivenAndThenFails) {
  const Outcome outcome = answer_with(partial_content(100, 150));
  EXPECT_THAT(outcome.lines, ElementsAre("began 1", "bytes 1: 50", "failed 1: range-mismatch"));
  EXPECT_EQ(outcome.detail, "the answer ended at byte 50 of 100");
  EXPECT_TRUE(outcome.connection_usable);
}

RangeRequest open_request(int begin, int end) {
  RangeRequest open = request(1, begin, end);
  open.open = true;
  return open;
}

RangeRequest whole_file() {
  RangeRequest whole = open_request(0, 100);
  whole.stands_alone = true;
  return whole;
}

TEST(Http1Session, AnOpenRangeEndsWhereTheFileDoes) {
  const Outcome outcome = answer_with(partial_content(900, 1000), open_request(900, 1200));
  EXPECT_THAT(outcome.lines, ElementsAre("began 1", "bytes 1: 100", "done 1"));
  EXPECT_TRUE(outcome.connection_usable);
  EXPECT_THAT(answer_with(partial_content(900, 950), open_request(900, 1200)).lines,
              ElementsAre("began 1", "bytes 1: 50", "failed 1: range-mismatch"));
}

TEST(Http1Session, AnOpenRangeBehindTheEndOfTheFileHasNoBytes) {
  const std::string there = response("416 Range Not Satisfiable", "no such range", "Content-Range: bytes */1000\r\n");
  const Outcome outcome = answer_with(there, open_request(1000, 1200));
  EXPECT_THAT(outcome.lines, ElementsAre("began 1", "done 1"));
  EXPECT_TRUE(outcome.connection_usable);
  EXPECT_THAT(answer_with(there, open_request(900, 1200)).lines, ElementsAre("failed 1: no-such-range"));
  EXPECT_THAT(answer_with(there, request(1, 1000, 1200)).lines, ElementsAre("failed 1: no-such-range"));
}

TEST(Http1Session, TellsThatNothingIsThereToWhoDoesNotKnowTheSize) {
  const auto beyond_end = [](const RangeRequest& asked, const std::string& answer) {
    FileVersions versions;
    Http1Session session{"origin.example", versions, {}};
    session.submit(asked);
    session.on_bytes(std::as_bytes(std::span{answer}), TimePoint{});
    const auto failed = std::get<RequestFailed>(session.next_event().value());
    return failed.beyond_end;
  };
  const std::string without_size = response("416 Range Not Satisfiable");
  EXPECT_TRUE(beyond_end(open_request(1000, 1200), without_size));
  EXPECT_TRUE(beyond_end(open_request(1000, 1200), response("416 No", "", "Content-Range: bytes */*\r\n")));
  EXPECT_FALSE(beyond_end(open_request(0, 1200), without_size));  // the range may be too large for it
  EXPECT_FALSE(beyond_end(request(1, 1000, 1200), without_size));
  EXPECT_FALSE(beyond_end(open_request(900, 1200), response("416 No", "", "Content-Range: bytes */1000\r\n")));
  EXPECT_FALSE(beyond_end(open_request(1000, 1200), response("404 Not Found")));
}

TEST(Http1Session, TellsTheSizeOfTheFileToWhoDoesNotKnowIt) {
  const auto told = [](const RangeRequest& asked, const std::string& answer) {
    FileVersions versions;
    Http1Session session{"origin.example", versions, {}};
    session.submit(asked);
    session.on_bytes(std::as_bytes(std::span{answer}), TimePoint{});
    const auto event = session.next_event();
    return std::get<ResponseBegan>(event.value()).file_size;
  };
  EXPECT_EQ(told(open_request(0, 100), partial_content(0, 100)), 1000_B);
  EXPECT_EQ(told(request(1, 0, 100), partial_content(0, 100)), std::nullopt);
  EXPECT_EQ(told(open_request(1000, 1200), response("416 No", "", "Content-Range: bytes */1000\r\n")), 1000_B);
  EXPECT_EQ(told(whole_file(), response("200 OK", "0123456789")), 10_B);
}

TEST(Http1Session, AWholeFileOfUnknownSizeIsAskedForWithoutARange) {
  SessionRun run;
  run.ask(whole_file());
  EXPECT_THAT(run.sent(), testing::Not(HasSubstr("Range:")));
  run.receive(response("200 OK", content({0_B, 300_B})));
  EXPECT_THAT(run.lines(), ElementsAre("began 1", "bytes 1: 300", "done 1"));
}

TEST(Http1Session, AWholeFileOfUnknownSizeMayComeInChunks) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string chunk = "12c\r\n" + content({0_B, 300_B}) + "\r\n";
  EXPECT_THAT(answer_with(head + chunk + "0\r\n\r\n", whole_file()).lines,
              ElementsAre("began 1", "bytes 1: 300", "done 1"));
  SessionRun cut;
  cut.ask(whole_file());
  cut.receive(head + chunk);
  cut.end(StreamStatus::kClosed);
  EXPECT_THAT(cut.lines(), ElementsAre("began 1", "bytes 1: 300", "failed 1: closed-mid-body"));
}

/// As HTTP/1.0 has it. Where the end of the connection may be none of the file, it is a failure.
TEST(Http1Session, AWholeFileMayEndWithTheConnection) {
  const auto ended_by = [](StreamStatus how, const RangeRequest& asked, std::int64_t size) {
    SessionRun run;
    run.ask(asked);
    run.receive("HTTP/1.0 200 OK\r\n\r\n" + content({0_B, DataSize{size}}));
    run.end(how);
    return run.lines().back();
  };
  RangeRequest known = request(1, 0, 300);
  known.file_size = 300_B;
  known.stands_alone = true;
  EXPECT_EQ(ended_by(StreamStatus::kClosed, whole_file(), 300), "done 1");
  EXPECT_EQ(ended_by(StreamStatus::kReset, whole_file(), 300), "failed 1: reset");
  EXPECT_EQ(ended_by(StreamStatus::kCutOff, whole_file(), 300), "failed 1: closed-mid-body");
  EXPECT_EQ(ended_by(StreamStatus::kClosed, whole_file(), 0), "failed 1: closed-mid-body");
  EXPECT_EQ(ended_by(StreamStatus::kClosed, known, 300), "done 1");
  EXPECT_EQ(ended_by(StreamStatus::kCutOff, known, 300), "done 1");
  EXPECT_EQ(ended_by(StreamStatus::kCutOff, known, 200), "failed 1: closed-mid-body");
  EXPECT_EQ(ended_by(StreamStatus::kClosed, known, 200), "failed 1: closed-mid-body");
  EXPECT_EQ(ended_by(StreamStatus::kClosed, known, 400), "failed 1: protocol");
  known.stands_alone = false;
  EXPECT_EQ(ended_by(StreamStatus::kClosed, known, 300), "failed 1: range-ignored");
}

TEST(Http1Session, AWholeFileOfKnownSizeMayComeInChunksIfItStandsAlone) {
  const auto in_chunks = [](const std::string& body) {
    return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
           fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", body.size(), body);
  };
  RangeRequest all = request(1, 0, 300);
  all.file_size = 300_B;
  EXPECT_THAT(answer_with(in_chunks(content({0_B, 300_B})), all).lines, ElementsAre("failed 1: range-ignored"))
      << "it may be put together with others";
  all.stands_alone = true;
  EXPECT_THAT(answer_with(in_chunks(content({0_B, 300_B})), all).lines,
              ElementsAre("began 1", "bytes 1: 300", "done 1"));
  EXPECT_THAT(answer_with(in_chunks(content({0_B, 200_B})), all).lines,
              ElementsAre("began 1", "bytes 1: 200", "failed 1: range-mismatch"));
  EXPECT_THAT(answer_with(in_chunks(content({0_B, 400_B})), all).lines.back(), "failed 1: protocol");
}

TEST(Http1Session, RefusesOtherRangesThanAskedFor) {
  expect_failure(partial_content(0, 100), "range-mismatch", false);
  expect_failure(partial_content(101, 200), "range-mismatch", false);
  expect_failure(partial_content(100, 201), "range-mismatch", false);
  const std::string body(100, 'x');
  for (const std::string field :
       {"", "Content-Range: bytes */1000\r\n", "Content-Range: bytes 100-199\r\n",
        "Content-Range: bytes 100-199/150\r\n", "Content-Range: bytes 199-100/1000\r\n",
        "Content-Range: lines 100-199/1000\r\n", "Content-Range: bytes 100-198/1000\r\n",
        "Content-Range: bytes 100-9223372036854775807/*\r\n", "Content-Range: bytes 100-99999999999999999999/*\r\n"}) {
    expect_failure(response("206 Partial Content", body, field), "range-mismatch", false);
  }
}

TEST(Http1Session, RefusesABodyThatEndsWithTheConnection) {
  expect_failure("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 100-199/1000\r\n\r\n", "range-mismatch", false);
}

TEST(Http1Session, AWholeFileIsRightOnlyIfAskedFor) {
  expect_failure(response("200 OK", std::string(1000, 'x')), "range-ignored", false);
  expect_failure(response("200 OK", std::string(100, 'x')), "range-ignored", false);
  const std::string file = content({0_B, 100_B});
  EXPECT_THAT(answer_with(response("200 OK", file), request(1, 0, 100)).lines,
              ElementsAre("began 1", "bytes 1: 100", "done 1"));
  EXPECT_THAT(answer_with(response("200 OK", file), request(1, 0, 50)).lines, ElementsAre("failed 1: range-ignored"));
}

TEST(Http1Session, ALoginPageSaysNothingAboutRanges) {
  RangeRequest asked = request(1, 100, 200);
  asked.file_size = 1000_B;
  EXPECT_THAT(answer_with(response("200 OK", "<html>Log in</html>"), asked).lines,
              ElementsAre("failed 1: entity-changed"));
  EXPECT_THAT(answer_with(response("200 OK", std::string(1000, 'x')), asked).lines,
              ElementsAre("failed 1: range-ignored"));
}

TEST(Http1Session, NoticesThatTheFileHasAnotherSize) {
  RangeRequest asked = request(1, 100, 200);
  asked.file_size = 1000_B;
  EXPECT_THAT(answer_with(partial_content(100, 200), asked).lines, ElementsAre("began 1", "bytes 1: 100", "done 1"));
  asked.file_size = 999_B;
  const Outcome outcome = answer_with(partial_content(100, 200), asked);
  EXPECT_THAT(outcome.lines, ElementsAre("failed 1: entity-changed"));
  EXPECT_EQ(outcome.detail, "the file has 1000 bytes, expected were 999");
}

RangeRequest of_known_size(RangeRequest request) {
  request.file_size = DataSize{1000};
  return request;
}

TEST(Http1Session, NoticesThatTheFileChanged) {
  for (const auto& [first, second, last_line] :
       {std::tuple{"ETag: \"a\"", "ETag: \"a\"", "done 2"},
        {"ETag: \"a\"", "ETag: \"b\"", "failed 2: versions-differ"},
        {"ETag: \"a\"", "ETag: W/\"b\"", "failed 2: versions-differ"},
        {"ETag: W/\"a\"", "ETag: W/\"b\"", "failed 2: versions-differ"},
        {"Last-Modified: today", "Last-Modified: tomorrow", "failed 2: versions-differ"},
        {"X: none", "Content-Encoding: gzip", "failed 2: versions-differ"}}) {
    SessionRun run;
    run.ask(of_known_size(request(1, 0, 10)));
    run.ask(of_known_size(request(2, 10, 20)));
    run.receive(partial_content(0, 10, std::string{first} + "\r\n"));
    run.receive(partial_content(10, 20, std::string{second} + "\r\n"));
    EXPECT_EQ(run.lines().back(), last_line) << first << ", " << second;
  }
}

TEST(Http1Session, AsksOnTheConditionThatTheFileIsTheOneThatIsKnown) {
  SessionRun run;
  run.ask(request(1, 0, 10));
  EXPECT_EQ(run.sent().find("If-Range"), std::string::npos);
  run.receive(partial_content(0, 10, "ETag: \"a\"\r\n"));
  run.ask(request(2, 10, 20));
  EXPECT_THAT(run.sent(), HasSubstr("\r\nIf-Range: \"a\"\r\n"));
  RangeRequest alone = request(3, 0, 10);
  alone.stands_alone = true;
  run.ask(alone);
  EXPECT_EQ(run.sent().find("If-Range"), std::string::npos);
  run.receive(response("200 OK", std::string(1000, 'x'), "ETag: \"b\"\r\n"));
  EXPECT_EQ(run.lines().back(), "failed 2: versions-differ");
  EXPECT_EQ(run.log().failed().front().detail, "200 with another ETag: \"b\", it was \"a\"");
}

TEST(Http1Session, ACodedFileIsKeptAsItComesIfItHasTheRightSize) {
  EXPECT_EQ(answer_with(partial_content(100, 200, "Content-Encoding: gzip\r\n"), of_known_size(request(1, 100, 200)))
                .lines.back(),
            "done 1");
  EXPECT_EQ(answer_with(partial_content(100, 200, "Content-Encoding: identity\r\n")).lines.back(), "done 1");
}

/// An origin that packs its answers would otherwise hand packed bytes to the decoder.
TEST(Http1Session, RefusesACodedFileWhoseSizeNobodyKnows) {
  const std::string gzip = "Content-Encoding: gzip\r\n";
  EXPECT_EQ(answer_with(partial_content(100, 200, gzip), open_request(100, 200)).lines.back(), "failed 1: encoding");
  EXPECT_EQ(answer_with(partial_content(100, 200, gzip)).lines.back(), "failed 1: encoding") << "a range of a list";
  EXPECT_EQ(answer_with(response("200 OK", std::string(90, 'x'), gzip), whole_file()).lines.back(),
            "failed 1: encoding");
  EXPECT_EQ(
      answer_with(partial_content(100, 200, "Content-Encoding: identity\r\n"), open_request(100, 200)).lines.back(),
      "done 1");
}

/// Nobody could tell whether these are bytes of the file, or a coded form of them.
TEST(Http1Session, RefusesWhatIsCodedForThisAnswerAlone) {
  expect_failure(partial_content(100, 200, "Content-Type: Multipart/ByteRanges; boundary=x\r\n"), "encoding", false);
  const std::string head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 100-199/1000\r\n";
  const std::string body = "3\r\nabc\r\n0\r\n\r\n";
  for (const std::string coding :
       {"Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n"}) {
    expect_failure(head + coding + "\r\n" + body, "encoding", false);
  }
  EXPECT_THAT(answer_with(head + "Transfer-Encoding: Chunked\r\n\r\n" + body).lines.front(), "began 1");
}

TEST(Http1Session, ARangeUnitIsWrittenInAnyCase) {
  const std::string head =
      "HTTP/1.1 206 Partial Content\r\nContent-Length: 100\r\nContent-Range: Bytes 100-199/1000\r\n\r\n";
  EXPECT_EQ(answer_with(head + content({100_B, 200_B})).lines.back(), "done 1");
}

TEST(Http1Session, RefusesTwoRangesInOneHead) {
  expect_failure(partial_content(100, 200, "Content-Range: bytes 101-200/1000\r\n"), "range-mismatch", false);
}

TEST(Http1Session, TellsRefusalsApartAndKeepsTheConnection) {
  expect_failure(response("302 Found", "moved", "Location: https://cdn.example/x\r\n"), "redirected", true);
  for (const char* status : {"401 Unauthorized", "403 Forbidden", "407 Proxy Authentication Required",
                             "451 Unavailable For Legal Reasons"}) {
    expect_failure(response(status, "no"), "unauthorized", true);
  }
  for (const char* status : {"404 Not Found", "410 Gone"}) expect_failure(response(status, "no"), "not-found", true);
  expect_failure(response("416 Range Not Satisfiable", "no"), "no-such-range", true);
  for (const char* status : {"400 Bad Request", "405 Method Not Allowed", "413 Content Too Large", "414 URI Too Long",
                             "421 Misdirected Request", "431 Request Header Fields Too Large"}) {
    expect_failure(response(status, "no"), "bad-request", true);
  }
  for (const char* status : {"408 Request Timeout", "429 Too Many Requests", "503 Service Unavailable"}) {
    expect_failure(response(status, "later"), "server-busy", true);
  }
  expect_failure(response("204 No Content"), "protocol", false);
  expect_failure(response("006 No Class", "a body, so it is not interim"), "protocol", false);
}

TEST(Http1Session, SaysWhereARedirectLeads) {
  EXPECT_EQ(answer_with(response("302 Found", "", "Location: https://cdn.example/x\r\n")).detail,
            "302 Found, Location: https://cdn.example/x");
}

TEST(Http1Session, ReadsPastTheBodyOfARefusal) {
  SessionRun run;
  run.ask(request(1, 0, 10));
  run.ask(request(2, 0, 10));
  run.receive(response("503 Service Unavailable", std::string(5000, 'x')) + partial_content(0, 10));
  EXPECT_THAT(run.lines(),
              ElementsAre("failed 1: server-busy"));  // 2 was not sent yet: its answer is not one
  EXPECT_TRUE(run.session().ended());

  SessionRun patient;
  patient.ask(request(1, 0, 10));
  patient.ask(request(2, 0, 10));
  patient.receive(response("503 Service Unavailable", std::string(5000, 'x')));
  patient.receive(partial_content(0, 10));
  EXPECT_THAT(patient.lines(), ElementsAre("failed 1: server-busy", "began 2", "bytes 2: 10", "done 2"));
}

TEST(Http1Session, ClosesRatherThanReadALongRefusal) {
  expect_failure(response("503 Service Unavailable", std::string(70'000, 'x')), "server-busy", false);
  expect_failure("HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n11170\r\n" + std::string(70'000, 'x'),
                 "server-busy", false);
}

TEST(Http1Session, AnnouncedCloseHandsTheRestBackEarly) {
  SessionRun run;
  for (const unsigned id : {1, 2, 3}) run.ask(request(id, 0, 10));
  run.receive(partial_content(0, 10));
  const std::string last = partial_content(0, 10, "Connection: close\r\n");
  run.receive(last.substr(0, last.size() - 5));
  EXPECT_TRUE(run.session().draining());
  EXPECT_FALSE(run.session().accepts_request());
  const auto unanswered = run.session().take_unanswered();
  ASSERT_EQ(unanswered.size(), 1u);
  EXPECT_EQ(unanswered[0].id, RequestId{3});

  EXPECT_FALSE(run.session().ended());
  run.receive(last.substr(last.size() - 5));
  EXPECT_TRUE(run.session().ended());
  EXPECT_EQ(run.lines().back(), "done 2");
}

TEST(Http1Session, ACloseWithinTheBodyFailsThatRequestAlone) {
  for (const auto& [how, reason] :
       {std::pair{StreamStatus::kClosed, "closed-mid-body"}, {StreamStatus::kReset, "reset"}}) {
    SessionRun run;
    for (const unsigned id : {1, 2, 3}) run.ask(request(id, 0, 10));
    run.receive(partial_content(0, 10));
    const std::string cut = partial_content(0, 10);
    run.receive(cut.substr(0, cut.size() - 4));
    run.end(how);
    EXPECT_THAT(run.lines(), ElementsAre("began 1", "bytes 1: 10", "done 1", "began 2", "bytes 2: 6",
                                         std::string{"failed 2: "} + reason));
    EXPECT_EQ(run.session().take_unanswered().size(), 1u);
  }
}

TEST(Http1Session, ACloseBeforeTheResponseHandsTheRequestBack) {
  SessionRun run;
  run.ask(request(1, 0, 10));
  run.receive("HTTP/1.1 206 Part");  // a head that is cut off is no response
  run.end(StreamStatus::kClosed);
  EXPECT_THAT(run.lines(), IsEmpty());
  EXPECT_EQ(run.session().take_unanswered().size(), 1u);
}

TEST(Http1Session, AnIdleTimeOutThatCrossedTheRequestIsACloseWithoutAnswer) {
  SessionRun run;
  run.ask(request(1, 0, 10));
  run.receive(partial_content(0, 10));
  run.ask(request(2, 0, 10));
  run.receive(response("408 Request Timeout", "", "Connection: close\r\n"));
  EXPECT_TRUE(run.session().ended());
  EXPECT_EQ(run.lines().back(), "done 1");
  EXPECT_EQ(run.session().take_unanswered().size(), 1u);
}

TEST(Http1Session, AResponseNobodyAskedForEndsTheConnection) {
  SessionRun run;
  run.ask(request(1, 0, 10));
  run.receive(partial_content(0, 10) + response("408 Request Timeout"));
  EXPECT_EQ(run.lines().back(), "done 1");
  EXPECT_TRUE(run.session().ended());
}

TEST(Http1Session, GarbageFailsTheRequestInTurnAndEndsTheConnection) {
  for (const std::string garbage :
       {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2060 X\r\n\r\n", "\r\n\r\n\r\nHTTQ\r\n",
        "HTTP/1.1 206 X\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "HTTP/1.1 206 X\r\nContent-Length: -5\r\n\r\n", "HTTP/1.1 206 X\r\nContent-Length: 0x64\r\n\r\n",
        "HTTP/1.1 206 X\r\nContent-Length: 99999999999999999999\r\n\r\n"}) {
    expect_failure(garbage, "protocol", false);
  }
  expect_failure("HTTP/1.1 206 X\r\nX: " + std::string(400'000, 'x') + "\r\n\r\n", "protocol", false);
  expect_failure(std::string(400'000, '\n'), "protocol", false);
}

TEST(Http1Session, AHeadIsReadHoweverItIsWritten) {
  const std::string range = "Content-Range: bytes 100-199/1000", length = "Content-Length: 100",
                    bytes = content({100_B, 200_B});
  for (const std::string& head : std::vector<std::string>{
           "HTTP/1.1 206\r\n" + range + "\r\n" + length + "\r\n\r\n",
           "\r\nhttp/1.1  206 Partial\n" + range + "\n" + length + "\n\n",
           "HTTP/2 206 \r\nCONTENT-RANGE :bytes 100-199/1000\r\ncontent-length\t:\t+00100 \r\n\r\n",
           "HTTP/1.1 206 \xe9\x1b[2J\r\n" + range + "\r\n: x\r\nA B: \x01\rx\r\n" + length + ", 100,\r\n\r\n",
           "HTTP/1.0 206 OK\r\nContent-Range:\r\n bytes\r\n\t100-199/1000\r\n" + length + "\r\n\r\n",
           "HTTP/1.1 200 OK\r\n" + range + "\r\n" + length + "\r\nTransfer-Encoding: identity\r\n\r\n",
           "HTTP/1.1 203 Non-Authoritative\r\n" + range + "\r\n" + length + "\r\n\r\n",
       }) {
    EXPECT_THAT(answer_with(head + bytes).lines, ElementsAre("began 1", "bytes 1: 100", "done 1")) << head;
  }
}

TEST(Http1Session, ChunksAreReadHoweverTheyAreWritten) {
  const std::string bytes = content({100_B, 200_B}), first = bytes.substr(0, 26), rest = bytes.substr(26);
  for (const std::string coding : {"chunked", "Chunked", ", chunked", "identity, chunked", "chunked;q=1"}) {
    const std::string head =
        "HTTP/1.1 206 X\r\nContent-Range: bytes 100-199/1000\r\nTransfer-Encoding: " + coding + "\r\n\r\n";
    for (const std::string& body :
         {"1a\n" + first + "\n4A\n" + rest + "\n0\n\n",
          "00000000000000000001A \r\n" + first + "\r\n4a; x=\"y\"\r\n" + rest + "\r\n000\r\nA\r\n\r\n"}) {
      EXPECT_THAT(answer_with(head + body).lines, ElementsAre("began 1", "bytes 1: 100", "done 1")) << head << body;
    }
    for (const std::string body : {"-1a\r\n", "10000000000000000\r\n", "x\r\n", "\r\n"}) {
      EXPECT_THAT(answer_with(head + body).lines.back(), HasSubstr("protocol")) << head << body;
    }
    EXPECT_THAT(answer_with(head + "1a\r\n" + bytes).lines.back(), HasSubstr("protocol"));
  }
}

TEST(Http1Session, LinesThatEndTooOftenSayNothing) {
  SessionRun run;
  run.ask(request(1, 0, 10));
  run.receive(partial_content(0, 10) + "\r\n");
  run.ask(request(2, 10, 20));
  run.receive("\n" + partial_content(10, 20));
  EXPECT_EQ(run.lines().back(), "done 2");
  EXPECT_FALSE(run.session().ended());
}

TEST(Http1Session, ALongHeadIsNotGarbage) {
  const Outcome outcome = answer_with(partial_content(100, 200, "X: " + std::string(290'000, 'x') + "\r\n"));
  EXPECT_EQ(outcome.lines.back(), "done 1");
}

TEST(Http1Session, GivingUpFailsEverythingOutstanding) {
  SessionRun run;
  for (const unsigned id : {1, 2, 3}) run.ask(request(id, 0, 10));
  const std::string first = partial_content(0, 10);
  run.receive(first.substr(0, first.size() - 1));
  run.session().fail_all(FailureReason::kLinkDown, "wlan0 is gone");
  run.receive("");
  EXPECT_THAT(run.lines(), ElementsAre("began 1", "bytes 1: 9", "failed 1: link-down", "failed 2: link-down",
                                       "failed 3: link-down"));
}

}  // namespace
}  // namespace tributary::transport
