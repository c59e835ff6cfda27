#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tributary::transport {

/// The origin's side of an HTTP/2 connection, in memory and without time (nghttp2's). What it answers is the test's.
class Http2Origin {
 public:
  struct Options {
    std::uint32_t streams = 100;  // at a time
    std::size_t padding = 0;      // of each DATA frame
  };
  explicit Http2Origin(Options options);
  Http2Origin() : Http2Origin(Options{}) {}
  ~Http2Origin();

  void receive(std::string_view bytes);
  /// All it has to say now, as far as it may.
  std::string send();

  using Fields = std::vector<std::pair<std::string, std::string>>;
  struct Request {
    std::int32_t stream;
    std::map<std::string, std::string> fields;
  };
  /// In the order of their arrival.
  const std::vector<Request>& requests() const;

  /// When the origin finds out that a body is over.
  enum class End { kWithTheLastByte, kWhenAskedForMore };
  void answer(std::int32_t stream, const std::string& status, const Fields& fields, const std::string& body,
              End end = End::kWithTheLastByte);
  /// With what was asked for, of a file of a million bytes (canned_responses.hh: content).
  void answer(const Request& request, End end = End::kWithTheLastByte);
  void answer_all(End end = End::kWithTheLastByte);
  void reset(std::int32_t stream, std::uint32_t error);
  void go_away(std::int32_t last_stream);
  void allow(std::uint32_t streams);

  /// What the client has sent: error by reset stream, settings by number, pings.
  const std::map<std::int32_t, std::uint32_t>& resets() const;
  const std::map<std::int32_t, std::uint32_t>& settings() const;
  int pings() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary::transport
