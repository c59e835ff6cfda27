#include "transport/documents/object_fetch.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "canned_responses.hh"
#include "faulty_origin.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;

const std::string kNow = "Sun, 06 Nov 1994 08:49:37 GMT";

class ObjectFetchTest : public testing::Test {
 protected:
  ObjectHead fetch(const std::string& target, const ObjectFetch::TakeBody& take, ObjectFetch::Wanted wanted) {
    CurlLoop loop;
    ObjectFetch fetch{loop, url(target), {.link = "lo", .ca_file = {}}, wanted, take, from_};
    while (true) {
      if (auto head = fetch.result()) return *head;
      loop.wait(10s);
    }
  }
  ObjectHead ask(const std::string& target, ObjectFetch::Wanted wanted = ObjectFetch::Wanted::kFirstByte) {
    return fetch(
        target,
        [&](const ObjectHead&, std::span<const std::byte> bytes) {
          body_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        },
        wanted);
  }
  FailureReason refusal(const FaultyOrigin::Reply& reply, ObjectFetch::Wanted wanted);
  std::string url(const std::string& target) const {
    return fmt::format("http://127.0.0.1:{}{}", origin_.port(), target);
  }

  std::string body_;
  DataSize from_;              // where the rest begins
  FaultyOrigin::Reply wrong_;  // to /wrong; set before the origin is asked
  FaultyOrigin origin_{[this](const std::string& head) -> FaultyOrigin::Reply {
    const std::string target = head.substr(4, head.find(' ', 4) - 4);
    const bool range = head.find("Range: bytes=0-0") != std::string::npos;
    if (target == "/moved") return {response("302 Found", "", "Location: /object\r\nETag: \"moved\"\r\n")};
    if (target == "/object" && head.find("Range: bytes=3-\r\n") != std::string::npos) {
      return {response("206 Partial Content", "le", "Content-Range: bytes 3-4/5\r\nETag: \"a\"\r\n")};
    }
    if (target == "/cut-range") {
      return {"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 3-4/5\r\nContent-Length: 2\r\n\r\nl",
              FaultyOrigin::Reply::Then::kClose};
    }
    if (target == "/young") {
      return {response("206 Partial Content", "whole",
                       "Content-Range: bytes 0-4/5\r\nLast-Modified: " + kNow + "\r\nDate: " + kNow + "\r\n")};
    }
    if (target == "/object" && range) {
      return {response("206 Partial Content", "x",
                       "Content-Range: bytes 0-0/1000\r\nETag: \"a\"\r\nLast-Modified: today\r\n")};
    }
    if (target == "/object" || target == "/plain") return {response("200 OK", "whole")};
    if (target == "/endless") return {response("206 Partial Content", "x", "Content-Range: bytes 0-0/*\r\n")};
    if (target == "/wrong") return wrong_;
    if (target == "/picky")
      return {head.find("Accept-Encoding") == std::string::npos ? response("200 OK", "whole")
                                                                : response("406 Not Acceptable")};
    if (target == "/cut")
      return {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", FaultyOrigin::Reply::Then::kClose};
    return {response("404 Not Found", "no")};
  }};
};

TEST_F(ObjectFetchTest, TheFirstByteTellsWhatTheObjectIs) {
  for (const char* target : {"/object", "/moved"}) {
    const ObjectHead head = ask(target);
    EXPECT_TRUE(head.ranges);
    EXPECT_EQ(head.size, DataSize{1000});
    EXPECT_EQ(head.etag, "\"a\"");
    EXPECT_EQ(head.last_modified, "today");
    EXPECT_EQ(head.url, url("/object"));
  }
  EXPECT_EQ(body_, "") << "the first byte is not the whole object";
}

TEST_F(ObjectFetchTest, WithoutRangesTheWholeObjectComesAtOnce) {
  const ObjectHead head = ask("/plain");
  EXPECT_FALSE(head.ranges);
  EXPECT_EQ(head.size, DataSize{5});
  EXPECT_EQ(body_, "whole");
  EXPECT_EQ(ask("/object", ObjectFetch::Wanted::kWhole).ranges, false);
  EXPECT_EQ(body_, "wholewhole");
}

TEST_F(ObjectFetchTest, ATotalThatIsNoneIsUnknown) { EXPECT_EQ(ask("/endless").size, std::nullopt); }

/// The reason why it cannot be fetched.
FailureReason ObjectFetchTest::refusal(const FaultyOrigin::Reply& reply, ObjectFetch::Wanted wanted) {
  wrong_ = reply;
  body_.clear();
  try {
    ask("/wrong", wanted);
  } catch (const FetchError& error) {
    return error.reason;
  }
  ADD_FAILURE() << "taken: " << reply.bytes;
  return {};
}

TEST_F(ObjectFetchTest, AFirstByteThatIsNoneIsRefused) {
  using enum FailureReason;
  const std::string range = "Content-Range: bytes 0-0/1000\r\n";
  for (const auto& [reply, reason] : {
           std::pair{response("416 Range Not Satisfiable", ""), kNoSuchRange},
           {response("416 Range Not Satisfiable", "", "Content-Range: bytes */0\r\n"), kNoSuchRange},
           {response("400 Bad Request", "no"), kBadRequest},
           {response("403 Forbidden", "no"), kUnauthorized},
           {response("500 Internal Server Error", "no"), kServerBusy},
           {response("503 Service Unavailable", "no"), kServerBusy},
           {response("206 Partial Content", "x"), kRangeMismatch},
           {response("206 Partial Content", "x", "Content-Range: bytes 0-0/99999999999999999999\r\n"), kRangeMismatch},
           {response("206 Partial Content", "x", "Content-Range: bytes 1-1/1000\r\n"), kRangeMismatch},
           {response("206 Partial Content", "xy", "Content-Range: bytes 0-1/1000\r\n"), kRangeMismatch},
           {response("206 Partial Content", "xy", range), kRangeMismatch},
           {response("206 Partial Content", "x", range + "Content-Range: bytes 0-0/999\r\n"), kRangeMismatch},
           {response("206 Partial Content", "x", range + "Content-Type: multipart/byteranges\r\n"), kEncoding},
           {response("206 Partial Content", "x", range + "Content-Length: 7\r\n"), kRangeMismatch},
           {"HTTP/1.1 206 X\r\nTransfer-Encoding: gzip, chunked\r\n" + range + "\r\n0\r\n\r\n", kEncoding},
           {"HTTP/1.1 206 X\r\nTransfer-Encoding: chunked\r\n" + range + "\r\n2\r\nxy\r\n0\r\n\r\n", kProtocol},
       }) {
    EXPECT_EQ(refusal({reply}, ObjectFetch::Wanted::kFirstByte), reason) << reply;
    EXPECT_EQ(body_, "") << reply;
  }
}

TEST_F(ObjectFetchTest, AWholeThatIsNoneIsRefused) {
  using enum FailureReason;
  const std::string long_field = "X: " + std::string(90'000, 'x') + "\r\n";  // each is taken, all together are not
  constexpr auto kClose = FaultyOrigin::Reply::Then::kClose;
  for (const auto& [reply, reason] : {
           std::pair{std::string{"HTTP/1.1 200 O"}, kClosedUnanswered},
           {std::string{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"}, kClosedMidBody},
           {response("200 OK", "whole", "Content-Length: 7\r\n"), kClosedMidBody},
           {"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Length: 5\r\n\r\nwhole", kClosedMidBody},
           {response("200 OK", "whole", "Content-Length: -5\r\n"), kProtocol},
           {std::string{"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nwhole"}, kProtocol},
           {std::string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nwhole"}, kEncoding},
           {std::string{
                "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n"},
            kProtocol},
           {response("206 Partial Content", "who", "Content-Range: bytes 0-2/5\r\n"), kRangeMismatch},
           {response("206 Partial Content", "hole", "Content-Range: bytes 1-4/5\r\n"), kRangeMismatch},
           {response("206 Partial Content", "whole", "Content-Range: bytes 0-3/*\r\n"), kRangeMismatch},
           {response("206 Partial Content", "whole", "Content-Range: items 0-4/5\r\n"), kRangeMismatch},
           {response("206 Partial Content", "whole", "Content-Type: multipart/byteranges\r\n"), kEncoding},
           {response("200 OK", "whole", "Content-Range: bytes 0-4/9\r\n"), kRangeMismatch},
           {"HTTP/1.1 206 X\r\nTransfer-Encoding: chunked\r\nContent-Range: bytes 0-9/*\r\n\r\n5\r\nwhole\r\n0\r\n\r\n",
            kProtocol},
           {response("204 No Content"), kProtocol},
           {"HTTP/1.1 200 OK\r\n" + long_field + long_field + long_field + long_field + "\r\n", kProtocol},
       }) {
    EXPECT_EQ(refusal({reply, kClose}, ObjectFetch::Wanted::kWhole), reason) << reply.substr(0, 200);
  }
}

TEST_F(ObjectFetchTest, AWholeIsTakenAsItComes) {
  constexpr auto kClose = FaultyOrigin::Reply::Then::kClose;
  for (const std::string& reply :
       {response("200 OK", "whole", "Content-Encoding: gzip\r\n"), response("200 OK", "whole", "Content-Length: 5\r\n"),
        std::string{"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nwhole"},
        response("206 Partial Content", "whole", "Content-Range: bytes 0-4/5\r\n"),
        response("206 Partial Content", "whole", "Content-Range: bytes 0-4/*\r\n"),
        response("206 Partial Content", "whole", "Content-Range: bytes=0-4/5\r\n"),
        response("206 Partial Content", "whole", "Content-Range: 0-4/5\r\n"), response("206 Partial Content", "whole"),
        std::string{"HTTP/1.1 206 Partial Content\r\n\r\nwhole"},
        std::string{
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n"},
        std::string{"HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n"},
        std::string{
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n"},
        std::string{"HTTP/1.1 103 Early Hints\r\nContent-Length: 7\r\n\r\nHTTP/1.0 200 OK\r\n\r\nwhole"}}) {
    wrong_ = {reply, kClose};
    body_.clear();
    EXPECT_FALSE(ask("/wrong", ObjectFetch::Wanted::kWhole).ranges);
    EXPECT_EQ(body_, "whole") << reply;
  }
}

/// Nothing but the head says so: the connection stays open.
TEST_F(ObjectFetchTest, ABodyEndsWhereItsHeadSays) {
  for (const char* fields : {"Content-Length : 5\r\n", "Content-Length: 5\r\nTransfer-Encoding:\r\n",
                             "Content-Length: 5\r\nTransfer-Encoding: identity\r\n"}) {
    wrong_ = {fmt::format("HTTP/1.1 200 OK\r\n{}\r\nwhole", fields)};
    body_.clear();
    EXPECT_EQ(ask("/wrong", ObjectFetch::Wanted::kWhole).size, DataSize{5});
    EXPECT_EQ(body_, "whole") << fields;
  }
  wrong_ = {"HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n"};
  EXPECT_EQ(ask("/wrong", ObjectFetch::Wanted::kWhole).size, DataSize{});
  EXPECT_EQ(refusal({"HTTP/1.1 404 Not Found\r\n\r\n"}, ObjectFetch::Wanted::kWhole), FailureReason::kNotFound);
}

/// As curl asks, so that nothing but the name of the program can be wrong with it.
TEST_F(ObjectFetchTest, WithoutARangeNoCodingIsNamed) {
  EXPECT_THROW(ask("/picky"), FetchError);
  ask("/picky", ObjectFetch::Wanted::kWhole);
  EXPECT_EQ(body_, "whole");
}

TEST(ObjectHead, AWholeIsNotShorterThanItsRangesWere) {
  const auto object = [](std::int64_t size, const std::string& etag) {
    return ObjectHead{"http://host/object", DataSize{size}, true, etag, "", ""};
  };
  EXPECT_TRUE(falls_short(DataSize{9}, object(9, ""), object(10, "")));
  EXPECT_TRUE(falls_short(DataSize{9}, object(9, "\"a\""), object(10, "\"a\"")));
  EXPECT_TRUE(falls_short(DataSize{9}, object(9, "\"a\""), object(10, "")));
  EXPECT_FALSE(falls_short(DataSize{9}, object(9, "\"b\""), object(10, "\"a\""))) << "another version";
  EXPECT_FALSE(falls_short(DataSize{10}, object(10, ""), object(10, "")));
  EXPECT_FALSE(falls_short(DataSize{11}, object(11, "\"a\""), object(10, "\"a\"")));
  EXPECT_FALSE(falls_short(DataSize{9}, object(9, ""), object(std::int64_t{1} << 60, ""))) << "not said in earnest";
}

TEST(ObjectHead, WhatMayChangeWithinTheSecondIsNotPutTogether) {
  const std::string time = "Sun, 06 Nov 1994 08:49:37 GMT", later = "Sun, 06 Nov 1994 08:49:38 GMT";
  const auto object = [](const std::string& etag, const std::string& modified, const std::string& date) {
    return ObjectHead{"http://host/object", DataSize{10}, true, etag, modified, "", "", date};
  };
  EXPECT_TRUE(can_be_put_together(object("", time, later)));
  EXPECT_FALSE(can_be_put_together(object("", time, time)));
  EXPECT_FALSE(can_be_put_together(object("W/\"a\"", later, time)));
  EXPECT_TRUE(can_be_put_together(object("\"a\"", time, time)));
  EXPECT_TRUE(can_be_put_together(object("", "", time)));
  EXPECT_TRUE(can_be_put_together(object("", time, "")));
}

TEST_F(ObjectFetchTest, SaysWhatCameBack) {
  try {
    ask("/missing");
    FAIL();
  } catch (const FetchError& error) {
    EXPECT_EQ(error.reason, FailureReason::kNotFound);
  }
  EXPECT_EQ(body_, "") << "the text of an error is not the object";
  try {
    ask("/cut");
    FAIL();
  } catch (const FetchError& error) {
    EXPECT_EQ(error.reason, FailureReason::kClosedMidBody);
  }
}

TEST_F(ObjectFetchTest, TheRestComesFromWhereItBegins) {
  from_ = DataSize{3};
  const ObjectHead head = ask("/object", ObjectFetch::Wanted::kRest);
  EXPECT_EQ(body_, "le");
  EXPECT_TRUE(head.ranges);
  EXPECT_EQ(head.size, DataSize{5});
  EXPECT_EQ(head.brings, (ByteRange{DataSize{3}, DataSize{5}}));
}

TEST_F(ObjectFetchTest, TheHeadOfARestIsThereThoughItsBodyIsCutOff) {
  from_ = DataSize{3};
  CurlLoop loop;
  ObjectFetch fetch{
      loop, url("/cut-range"), {.link = "lo", .ca_file = {}}, ObjectFetch::Wanted::kRest, [](const auto&, auto) {},
      from_};
  while (!fetch.head()) loop.wait(10s);
  EXPECT_EQ(fetch.head()->size, DataSize{5});
  EXPECT_THROW(while (!fetch.result()) loop.wait(10s), FetchError);
  EXPECT_EQ(fetch.head()->size, DataSize{5});
}

/// It may change within the second, and nobody would see that.
TEST_F(ObjectFetchTest, ARestOfAllIsTheWholeWhereNothingCanBePutTogetherWithIt) {
  const ObjectHead head = ask("/young", ObjectFetch::Wanted::kRest);
  EXPECT_EQ(body_, "whole");
  EXPECT_FALSE(head.ranges);
}

TEST_F(ObjectFetchTest, WhatTheTakerThrowsComesOut) {
  const auto full = [](const ObjectHead&, std::span<const std::byte>) { throw std::out_of_range("the disk is full"); };
  EXPECT_THROW(fetch("/plain", full, ObjectFetch::Wanted::kFirstByte), std::out_of_range);
}

}  // namespace
}  // namespace tributary::transport
