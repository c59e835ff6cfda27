#pragma once

#include <string>

#include "units/byte_range.hh"

namespace tributary::transport {

/// The bytes of the range in a file whose content can be computed: every position tells on which offset it
/// is.
std::string content(ByteRange range);

/// A request for the bytes begin to end (not included) of "/movie/low.mp4".
struct RangeRequest;
RangeRequest request(unsigned id, int begin, int end);

/// "HTTP/1.1 206 Partial Content" with the content of the range, of a file of 1000 bytes. `fields` are
/// further header lines, each with its "\r\n".
std::string partial_content(int begin, int end, const std::string& fields = "");

/// A response with this status line ("503 Service Unavailable"), header lines and body, and its
/// Content-Length.
std::string response(const std::string& status, const std::string& body = "", const std::string& fields = "");

}  // namespace tributary::transport
