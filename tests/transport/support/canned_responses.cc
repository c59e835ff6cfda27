#include "canned_responses.hh"

#include <fmt/format.h>

#include "transport/http_transport.hh"

namespace tributary::transport {

std::string content(ByteRange range) {
  std::string bytes;
  for (auto offset = range.begin.bytes(); offset < range.end.bytes(); ++offset) {
    bytes += static_cast<char>((offset * 2654435761u) >> 13);  // a multiplicative hash: neighbours differ
  }
  return bytes;
}

RangeRequest request(unsigned id, int begin, int end) {
  return {.id = RequestId{id}, .target = "/movie/low.mp4", .range = {DataSize{begin}, DataSize{end}}, .file_size = {}};
}

std::string partial_content(int begin, int end, const std::string& fields) {
  return response("206 Partial Content", content({DataSize{begin}, DataSize{end}}),
                  fmt::format("Content-Range: bytes {}-{}/1000\r\n", begin, end - 1) + fields);
}

std::string response(const std::string& status, const std::string& body, const std::string& fields) {
  return fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}\r\n{}", status, body.size(), fields, body);
}

}  // namespace tributary::transport
