#include "transport/documents/document_fetch.hh"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "canned_responses.hh"
#include "faulty_origin.hh"
#include "nginx_server.hh"
#include "test_certificates.hh"

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// The target of a request.
std::string target_of(const std::string& head) { return head.substr(4, head.find(' ', 4) - 4); }

std::string redirect_to(const std::string& location) {
  return response("302 Found", "", "Location: " + location + "\r\n");
}

// "0123456789", and 10,000 times "x".
constexpr std::string_view kGzipped{
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\x30\x34\x32\x36\x31\x35\x33\xb7\xb0\x04\x00\xc6\xc7\x84"
    "\xa6\x0a\x00\x00\x00",
    30};
constexpr std::string_view kManyGzipped{
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x01\x0d\x00\x00\x00\xc2\xa0\xda\x8f\x6f\x0e\x37\xa0"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\xe0\xdf\x00\xa3\xa4\x55\x0d\x10\x27\x00\x00",
    45};

std::string coded(std::string_view bytes, const std::string& coding, const std::string& status = "200 OK",
                  const std::string& fields = "") {
  return response(status, std::string{bytes}, "Content-Encoding: " + coding + "\r\n" + fields);
}

class DocumentFetchTest : public testing::Test {
 protected:
  std::string url(const std::string& target) const {
    return fmt::format("http://127.0.0.1:{}{}", origin_.port(), target);
  }
  /// The error of a fetch that must fail.
  FetchError error_of(const std::string& target, const FetchLimits& limits = {}) {
    try {
      fetch_document(url(target), lo_, limits);
    } catch (const FetchError& error) {
      return error;
    }
    ADD_FAILURE() << target << " was fetched";
    return {FailureReason::kProtocol, ""};
  }

  const LinkRules lo_{.link = "lo", .ca_file = {}};
  FaultyOrigin origin_{[](const std::string& head) -> FaultyOrigin::Reply {
    const std::string target = target_of(head);
    if (target == "/index.json") return {response("200 OK", "{}")};
    if (target == "/versioned") {
      const std::string fields = "ETag: \"v1\"\r\nDate: Fri, 02 Jan 2026 03:04:05 GMT\r\n";
      if (head.find("If-None-Match: \"v1\"") != std::string::npos)
        return {"HTTP/1.1 304 Not Modified\r\n" + fields + "\r\n"};
      return {response("200 OK", "1", fields)};
    }
    if (target == "/unasked") return {"HTTP/1.1 304 Not Modified\r\n\r\n"};
    if (target == "/moved") return {redirect_to("/new/place")};
    if (target == "/new/place") return {redirect_to("../index.json")};
    if (target == "/round") return {redirect_to("/round")};
    if (target == "/large") return {response("200 OK", std::string(10'000, 'x'))};
    if (target == "/film") return {response("200 OK", std::string(2'000'000, 'x'), "Content-Type: video/mp4\r\n")};
    if (target == "/large-error") return {response("404 Not Found", std::string(2'000'000, 'x'))};
    if (target == "/cut")
      return {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", FaultyOrigin::Reply::Then::kClose};
    if (target == "/cut-head") return {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", FaultyOrigin::Reply::Then::kClose};
    if (target == "/two-lengths") return {response("200 OK", "{}{}", "Content-Length: 2\r\n")};
    if (target == "/unranged") return {response("206 Partial Content", "{}")};
    if (target == "/part") return {response("206 Partial Content", "{}", "Content-Range: bytes 0-1/9\r\n")};
    if (target == "/transfer-gzip")
      return {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"};
    if (target == "/gzip") return {coded(kGzipped, "gzip")};
    if (target == "/many") return {coded(kManyGzipped, "gzip")};
    if (target == "/unknown-coding") return {coded("?", "rot13")};
    if (target == "/broken-gzip") return {coded("no gzip at all", "gzip")};
    if (target == "/gzipped-part")
      return {coded(kGzipped.substr(0, 4), "gzip", "206 Partial Content", "Content-Range: bytes 0-3/30\r\n")};
    if (target == "/busy") return {response("503 Service Unavailable", "later")};
    if (target == "/busy-for-long") return {response("503 Service Unavailable", "later", "Retry-After: 7\r\n")};
    if (target == "/silent") return {"", FaultyOrigin::Reply::Then::kSilence};
    return {response("404 Not Found", "no")};
  }};
};

TEST_F(DocumentFetchTest, GivesTheDocument) {
  const Document document = fetch_document(url("/index.json"), lo_);
  EXPECT_EQ(document.text, "{}");
  EXPECT_EQ(document.url, url("/index.json"));
}

TEST_F(DocumentFetchTest, FollowsRedirectsAndTellsWhereItEnded) {
  EXPECT_EQ(fetch_document(url("/moved"), lo_).url, url("/index.json"));
  EXPECT_EQ(error_of("/round").reason, FailureReason::kRedirected);
}

TEST_F(DocumentFetchTest, DoesNotFollowARedirectFromHttpsToHttp) {
  const TestCertificates certificates;
  const NginxServer nginx{
      {.directives = fmt::format("ssl_certificate {}; ssl_certificate_key {}; location = /down {{ return 302 {}; }} "
                                 "location = /same {{ return 302 /index.json; }}",
                                 certificates.server(), certificates.server_key(), url("/index.json")),
       .tls = true}};
  nginx.put("index.json", "{}");
  const LinkRules rules{.link = "lo", .ca_file = certificates.authority()};
  const std::string secure = fmt::format("https://localhost:{}", nginx.port());
  EXPECT_EQ(fetch_document(secure + "/same", rules).text, "{}");
  try {
    fetch_document(secure + "/down?token=secret", rules);
    ADD_FAILURE() << "followed";
  } catch (const FetchError& error) {
    EXPECT_EQ(error.reason, FailureReason::kRedirected);
    EXPECT_THAT(error.what(), HasSubstr("/down?... over lo: redirected from https to http"));
  }
}

TEST_F(DocumentFetchTest, SaysWhatWasTriedAndWhatCameBack) {
  const FetchError missing = error_of("/missing");
  EXPECT_EQ(missing.reason, FailureReason::kNotFound);
  EXPECT_EQ(missing.what(), "fetch " + url("/missing") + " over lo: status 404");
  EXPECT_EQ(error_of("/busy").reason, FailureReason::kServerBusy);
  EXPECT_EQ(error_of("/busy").retry_after, std::nullopt);
  EXPECT_EQ(error_of("/busy-for-long").retry_after, 7s);
  EXPECT_EQ(error_of("/cut").reason, FailureReason::kClosedMidBody);
}

TEST_F(DocumentFetchTest, ADocumentWhoseEndNobodyKnowsIsNone) {
  EXPECT_EQ(error_of("/cut-head").reason, FailureReason::kClosedMidBody);
  EXPECT_THAT(error_of("/two-lengths").what(), HasSubstr("Content-Length 4, 2"));
  EXPECT_EQ(error_of("/transfer-gzip").reason, FailureReason::kEncoding);
}

TEST_F(DocumentFetchTest, APartIsNoDocument) {
  EXPECT_EQ(fetch_document(url("/unranged"), lo_).text, "{}") << "nothing is said to be missing";
  EXPECT_EQ(error_of("/part").reason, FailureReason::kRangeMismatch);
}

TEST_F(DocumentFetchTest, KeepsItsLimits) {
  const FetchError large = error_of("/large", {.size = DataSize{5000}});
  EXPECT_THAT(large.what(), HasSubstr("larger than 5.00 kB"));
  EXPECT_EQ(error_of("/silent", {.time = 200ms}).reason, FailureReason::kStalled);
}

TEST_F(DocumentFetchTest, ACodedFormIsDecodedWhetherItWasAskedForOrNot) {
  EXPECT_EQ(fetch_document(url("/gzip"), lo_).text, "0123456789");
  const ByteRange range{DataSize{2}, DataSize{4}};
  EXPECT_EQ(fetch_document(url("/gzip"), lo_, {.range = range}).text, "23") << "the whole, to a request for a range";
  EXPECT_THAT(error_of("/many", {.size = DataSize{5000}}).what(), HasSubstr("larger than 5.00 kB")) << "unpacked";
  const auto enough = [](std::string_view begin) { return begin.size() < 3; };
  EXPECT_EQ(fetch_document(url("/gzip"), lo_, {.goes_on = enough}).text.substr(0, 3), "012");
}

TEST_F(DocumentFetchTest, ACodedFormThatCannotBeDecodedIsNamed) {
  const FetchError unknown = error_of("/unknown-coding"), broken = error_of("/broken-gzip");
  EXPECT_EQ(unknown.reason, FailureReason::kEncoding);
  EXPECT_THAT(unknown.what(), HasSubstr("Content-Encoding rot13: "));
  EXPECT_EQ(broken.reason, FailureReason::kEncoding);
  EXPECT_THAT(broken.what(), HasSubstr("Content-Encoding gzip: "));
  const FetchError part = error_of("/gzipped-part", {.range = ByteRange{DataSize{0}, DataSize{4}}});
  EXPECT_EQ(part.reason, FailureReason::kEncoding);
  EXPECT_THAT(part.what(), HasSubstr("Content-Encoding gzip, though only identity was asked for"));
}

TEST_F(DocumentFetchTest, WhatIsOfNoUseIsLeft) {
  constexpr std::size_t kEnough = 40'000;
  const FetchLimits limits{.goes_on = [](std::string_view begin) { return begin.size() < kEnough; }};
  const Document film = fetch_document(url("/film"), lo_, limits);
  EXPECT_TRUE(film.left);
  EXPECT_EQ(film.content_type, "video/mp4");
  EXPECT_GE(film.text.size(), kEnough);
  EXPECT_LT(film.text.size(), 2 * kEnough);
  EXPECT_FALSE(fetch_document(url("/index.json"), lo_, limits).left);
  EXPECT_EQ(error_of("/large-error", limits).reason, FailureReason::kNotFound);
}

TEST_F(DocumentFetchTest, AnUnknownInterfaceOrSchemeFails) {
  try {
    fetch_document(url("/index.json"), {.link = "nosuchlink0", .ca_file = {}});
    ADD_FAILURE() << "fetched over a link that does not exist";
  } catch (const FetchError& error) {
    EXPECT_EQ(error.reason, FailureReason::kInterface);
    EXPECT_THAT(error.what(), HasSubstr("nosuchlink0"));
  }
  EXPECT_THROW(fetch_document("file:///etc/hostname", LinkRules{}), FetchError);
}

TEST_F(DocumentFetchTest, ADocumentThatIsKnownIsNotSentAgain) {
  const Document first = fetch_document(url("/versioned"), lo_);
  EXPECT_EQ(first.etag, "\"v1\"");
  ASSERT_TRUE(first.date);
  EXPECT_EQ(first.date->time_since_epoch(), 1767323045s);
  const auto again = [&](const std::string& etag) {
    CurlLoop loop;
    DocumentFetch fetch{loop, url("/versioned"), lo_, {}, etag};
    for (;;) {
      if (auto document = fetch.result()) return *document;
      loop.wait(10s);
    }
  };
  EXPECT_TRUE(again(first.etag).unchanged);
  EXPECT_EQ(again("\"v0\"").text, "1");
  EXPECT_FALSE(again("\"v0\"").unchanged);
  EXPECT_EQ(error_of("/unasked").reason, FailureReason::kRedirected);
}

TEST_F(DocumentFetchTest, SharesALoopWithOthers) {
  CurlLoop loop;
  DocumentFetch first{loop, url("/index.json"), lo_};
  DocumentFetch second{loop, url("/moved"), lo_};
  std::optional<Document> one, two;
  while (!one || !two) {
    if (!one) one = first.result();
    if (!two) two = second.result();
    if (!one || !two) loop.wait(10s);
  }
  EXPECT_EQ(one->text, two->text);
}

}  // namespace
}  // namespace tributary::transport
