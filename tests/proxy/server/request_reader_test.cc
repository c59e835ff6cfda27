#include "proxy/requests/request_reader.hh"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tributary::proxy {
namespace {

using Read = std::variant<ReceivedRequest, Refusal>;

constexpr std::string_view kGet = "GET /film/1.m4s?a=b HTTP/1.1\r\nHost: localhost:8080\r\nRange: bytes=0-\r\n\r\n";
constexpr std::string_view kPost =
    "POST /links HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 7\r\nOrigin: http://localhost:8080\r\n\r\n{\"a\":1}";

std::vector<Read> read_all(std::string_view bytes, std::size_t piece = 100'000) {
  RequestReader reader;
  std::vector<Read> all;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    reader.put(bytes.substr(0, piece));
    while (auto next = reader.next()) {
      all.push_back(*next);
      if (std::holds_alternative<Refusal>(*next)) return all;
    }
  }
  return all;
}

/// 0: no request, and nothing wrong so far. 200: a request.
unsigned status_of(const std::string& bytes) {
  const std::vector<Read> all = read_all(bytes);
  if (all.empty()) return 0;
  const auto* refusal = std::get_if<Refusal>(&all.front());
  return refusal != nullptr ? refusal->status : 200;
}

std::string with_fields(const std::string& fields, const std::string& method = "GET") {
  return method + " /a HTTP/1.1\r\nHost: localhost:1\r\n" + fields + "\r\n";
}

TEST(RequestReader, ReadsRequestsOneAfterTheOtherInPiecesOfAnySize) {
  const std::string bytes = std::string{kGet} + std::string{kPost} + std::string{kGet};
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const std::vector<Read> all = read_all(bytes, piece);
    ASSERT_EQ(all.size(), 3u) << piece;
    const auto& get = std::get<ReceivedRequest>(all[2]);
    EXPECT_EQ(get.method, "GET");
    EXPECT_EQ(get.target, "/film/1.m4s?a=b");
    EXPECT_EQ(field(get.fields, "range"), "bytes=0-");
    EXPECT_TRUE(get.keep_alive);
    const auto& post = std::get<ReceivedRequest>(all[1]);
    EXPECT_EQ(post.method, "POST");
    EXPECT_EQ(post.body, "{\"a\":1}");
  }
}

TEST(RequestReader, WaitsForTheRestOfAHeadAndOfABody) {
  EXPECT_EQ(status_of(std::string{kGet.substr(0, kGet.size() - 1)}), 0u);
  EXPECT_EQ(status_of(std::string{kPost.substr(0, kPost.size() - 1)}), 0u);
}

TEST(RequestReader, KnowsWhetherTheConnectionGoesOn) {
  const auto goes_on = [](const std::string& bytes) {
    return std::get<ReceivedRequest>(read_all(bytes).at(0)).keep_alive;
  };
  EXPECT_TRUE(goes_on("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_FALSE(goes_on("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(goes_on("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(goes_on("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

TEST(RequestReader, RefusesWhatTwoParsersReadDifferently) {
  EXPECT_EQ(status_of(with_fields("")), 200u);
  EXPECT_EQ(status_of("GET / HTTP/1.1\nHost: a\n\n"), 400u);               // bare LF
  EXPECT_EQ(status_of(with_fields("X: a\rb\r\n")), 400u);                  // bare CR
  EXPECT_EQ(status_of(with_fields("X: a\r\n b\r\n")), 400u);               // folded
  EXPECT_EQ(status_of(with_fields("X: a\r\n\tb\r\n")), 400u);              // folded
  EXPECT_EQ(status_of(with_fields(std::string{"X: a\0b\r\n", 8})), 400u);  // NUL
  EXPECT_EQ(status_of(with_fields("X: a\x01\r\n")), 400u);                 // control
  EXPECT_EQ(status_of(with_fields("X : a\r\n")), 400u);                    // a blank before the colon
  EXPECT_EQ(status_of(with_fields(": a\r\n")), 400u);                      // no name
  EXPECT_EQ(status_of(with_fields("X\r\n")), 400u);                        // no colon
  EXPECT_EQ(status_of(with_fields("Host: localhost:1\r\n")), 400u);        // a second host
  EXPECT_EQ(status_of(" GET / HTTP/1.1\r\n\r\n"), 400u);                   // before the method
  EXPECT_EQ(status_of("\r\n\r\nGET / HTTP/1.1\r\n\r\n"), 400u);            // empty lines
  EXPECT_EQ(status_of("GET  / HTTP/1.1\r\n\r\n"), 400u);                   // two blanks
  EXPECT_EQ(status_of("G(T / HTTP/1.1\r\n\r\n"), 400u);                    // no token
  EXPECT_EQ(status_of("GET /\r\n\r\n"), 400u);                             // HTTP/0.9
  EXPECT_EQ(status_of("GET /a b HTTP/1.1\r\n\r\n"), 505u);                 // a blank in the target
  EXPECT_EQ(status_of("\x16\x03\x01\x02"), 400u);                          // TLS
}

TEST(RequestReader, RefusesBodiesWithoutOneClearLength) {
  EXPECT_EQ(status_of(with_fields("Content-Length: 0\r\n")), 200u);
  EXPECT_EQ(status_of(with_fields("Content-Length: 5\r\n")), 400u);  // of a GET
  EXPECT_EQ(status_of(with_fields("Content-Length: 3\r\nContent-Length: 3\r\n", "POST")), 400u);
  EXPECT_EQ(status_of(with_fields("Content-Length: 3\r\ncontent-length: 4\r\n", "POST")), 400u);
  EXPECT_EQ(status_of(with_fields("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "POST")), 400u);
  EXPECT_EQ(status_of(with_fields("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "POST")), 400u);
  EXPECT_EQ(status_of(with_fields("Transfer-Encoding: chunked\r\n", "POST")), 501u);
  EXPECT_EQ(status_of(with_fields("Transfer-Encoding: xchunked\r\n", "POST")), 501u);
  for (const char* length : {"+3", "-3", "3, 3", "0x3", "", "3 3", "99999999999999999999999999", "3;"}) {
    EXPECT_EQ(status_of(with_fields(std::string{"Content-Length: "} + length + "\r\n", "POST")), 400u) << length;
  }
}

TEST(RequestReader, RefusesWhatIsTooLarge) {
  const auto line = [](std::size_t size) { return "GET /" + std::string(size - 14, 'a') + " HTTP/1.1"; };
  EXPECT_EQ(status_of(line(RequestLimits::kLine) + "\r\n\r\n"), 414u);  // with its line end
  EXPECT_EQ(status_of(line(RequestLimits::kLine - 2) + "\r\n\r\n"), 200u);
  EXPECT_EQ(status_of(line(RequestLimits::kLine + 500)), 414u);  // before its end is here
  EXPECT_EQ(status_of(with_fields("X: " + std::string(15'000, 'a') + "\r\n")), 200u);
  EXPECT_EQ(status_of(with_fields("X: " + std::string(17'000, 'a') + "\r\n")), 431u);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nX: " + std::string(17'000, 'a')), 431u);  // before its end is here
  EXPECT_EQ(status_of(with_fields("Content-Length: 16385\r\n", "POST")), 413u);
  EXPECT_EQ(status_of(with_fields("Content-Length: 5000000000\r\n", "POST")), 413u);
  EXPECT_EQ(status_of(with_fields("Content-Length: 16384\r\n", "POST") + std::string(16'384, 'a')), 200u);
}

TEST(RequestReader, RefusesWhatItDoesNotSpeak) {
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\n\r\n"), 505u);
  EXPECT_EQ(status_of("GET / HTTP/1.2\r\n\r\n"), 505u);
  EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 505u);
  EXPECT_EQ(status_of(with_fields("Expect: 100-continue\r\nContent-Length: 3\r\n", "POST")), 417u);
}

TEST(RequestReader, SaysWhenASenderHasToWait) {
  RequestReader reader;
  reader.put(kGet);
  EXPECT_TRUE(reader.has_begun());
  EXPECT_FALSE(reader.is_full());
  for (int i = 0; i < 1'000; ++i) reader.put(kGet);
  EXPECT_TRUE(reader.is_full());
  while (reader.next()) {
  }
  EXPECT_FALSE(reader.has_begun());
}

}  // namespace
}  // namespace tributary::proxy
