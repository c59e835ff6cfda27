#include "transport/object_fetch.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "canned_responses.hh"
#include "faulty_origin.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;

class ObjectFetchTest : public testing::Test {
 protected:
  ObjectHead fetch(const std::string& target, const ObjectFetch::TakeBody& take, ObjectFetch::Wanted wanted) {
    CurlLoop loop;
    ObjectFetch fetch{loop, url(target), {.link = "lo", .ca_file = {}}, wanted, take};
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
  std::string url(const std::string& target) const {
    return fmt::format("http://127.0.0.1:{}{}", origin_.port(), target);
  }

  std::string body_;
  FaultyOrigin origin_{[](const std::string& head) -> FaultyOrigin::Reply {
    const std::string target = head.substr(4, head.find(' ', 4) - 4);
    const bool range = head.find("Range: bytes=0-0") != std::string::npos;
    if (target == "/moved") return {response("302 Found", "", "Location: /object\r\nETag: \"moved\"\r\n")};
    if (target == "/object" && range) {
      return {response("206 Partial Content", "x",
                       "Content-Range: bytes 0-0/1000\r\nETag: \"a\"\r\nLast-Modified: today\r\n")};
    }
    if (target == "/object" || target == "/plain") return {response("200 OK", "whole")};
    if (target == "/endless") return {response("206 Partial Content", "x", "Content-Range: bytes 0-0/*\r\n")};
    if (target == "/empty") return {response("416 Range Not Satisfiable", "no", "Content-Range: bytes */0\r\n")};
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

TEST_F(ObjectFetchTest, AnEmptyObjectHasNoFirstByte) {
  EXPECT_EQ(ask("/empty").size, DataSize{});
  EXPECT_EQ(ask("/endless").size, std::nullopt);
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

TEST_F(ObjectFetchTest, WhatTheTakerThrowsComesOut) {
  const auto full = [](const ObjectHead&, std::span<const std::byte>) { throw std::out_of_range("the disk is full"); };
  EXPECT_THROW(fetch("/plain", full, ObjectFetch::Wanted::kFirstByte), std::out_of_range);
}

}  // namespace
}  // namespace tributary::transport
