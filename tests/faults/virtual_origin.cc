#include "virtual_origin.hh"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

#include "made_up_files.hh"

namespace tributary::testing {
namespace {

struct Asked {
  std::string target;
  std::int64_t first = 0, last = 0;
};

Asked read_request(std::string_view head) {
  Asked asked;
  const auto path = head.find(' ') + 1;
  asked.target = head.substr(path, head.find(' ', path) - path);
  const auto range = head.find("Range: bytes=");
  if (range == std::string_view::npos) throw std::logic_error{"a request without a range"};
  const char* end = head.data() + head.size();
  const auto first = std::from_chars(head.data() + range + 13, end, asked.first);
  std::from_chars(first.ptr + 1, end, asked.last);
  return asked;
}

std::string with_status(std::string_view status, std::string_view fields = "", std::string_view body = "no") {
  return fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\n{}\r\n{}", status, body.size(), fields, body);
}

std::string chunked(std::string_view body) {
  std::string text;
  for (std::size_t at = 0; at < body.size(); at += 1000) {
    const std::string_view chunk = body.substr(at, 1000);
    text += fmt::format("{:x}\r\n{}\r\n", chunk.size(), chunk);
  }
  return text + "0\r\n\r\n";
}

}  // namespace

VirtualOrigin::VirtualOrigin(const FaultPlan& plan, std::map<std::string, std::int64_t> sizes)
    : plan_{plan}, sizes_{std::move(sizes)}, chance_{plan.seed ^ 0xfeed} {}

ServerFault VirtualOrigin::pick(std::uint32_t link, TimePoint now) {
  for (const FaultWindow& window : plan_.faults) {
    if (window.link && *window.link != link) continue;
    if (now >= window.from && now < window.until && chance_.uniform() < window.probability) return window.fault;
  }
  return ServerFault::kNone;
}

VirtualOrigin::Reply VirtualOrigin::answer(std::string_view head, std::uint32_t link, bool pipelined, TimePoint now) {
  using enum ServerFault;
  using Then = Reply::Then;
  const Asked asked = read_request(head);
  const std::int64_t size = sizes_.at(asked.target);
  if (asked.last >= size) throw std::logic_error{"a request beyond the end of its file"};
  const auto bytes = [&](std::int64_t first, std::int64_t last) {
    return made_up_bytes(asked.target, {DataSize{first}, DataSize{last + 1}});
  };
  const auto content_range = [&](std::int64_t first, std::int64_t last, std::int64_t total) {
    return fmt::format("Content-Range: bytes {}-{}/{}\r\n", first, last, total);
  };
  const std::string usual_tag = "ETag: \"made-up\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
  const auto partial = [&](std::int64_t last, std::string_view fields) {
    return with_status("206 Partial Content", content_range(asked.first, last, size) + usual_tag + std::string{fields},
                       bytes(asked.first, last));
  };
  const auto other_partial = [&](std::string_view fields) {
    return with_status("206 Partial Content", content_range(asked.first, asked.last, size) + std::string{fields},
                       made_up_bytes(other_version(asked.target), {DataSize{asked.first}, DataSize{asked.last + 1}}));
  };
  const auto coded = [&](std::string_view fields) {
    return "HTTP/1.1 206 Partial Content\r\n" + usual_tag + content_range(asked.first, asked.last, size) +
           std::string{fields} + "\r\n" + chunked("\x1f\x8b and so on");
  };
  const std::int64_t middle = (asked.first + asked.last) / 2;
  const ServerFault fault = pick(link, now);
  switch (fault) {
    case kNone:
      break;
    case kCloseAnnounced:
      return {partial(asked.last, "Connection: close\r\n"), Then::kClose};
    case kCloseUnannounced:
      return {partial(asked.last, ""), Then::kClose};
    case kResetBehind:
      return {partial(asked.last, ""), Then::kReset};
    case kRefuseRange:
      return {with_status("200 OK", usual_tag, bytes(0, size - 1))};
    case kShiftedRange:
      if (asked.first == 0) break;
      return {with_status("206 Partial Content", content_range(asked.first - 1, asked.last - 1, size) + usual_tag,
                          bytes(asked.first - 1, asked.last - 1))};
    case kShortRange:
      return {partial(middle, "")};
    case kTruncated: {
      const std::string whole = partial(asked.last, "");
      return {whole.substr(0, whole.size() / 2), Then::kClose};
    }
    case kTrickle:
      return {partial(asked.last, ""), Then::kKeep, true};
    case kNoAnswer:
      return {"", Then::kSilence};
    case kNotFound:
      return {with_status("404 Not Found")};
    case kForbidden:
      return {with_status("403 Forbidden")};
    case kNotSatisfiable:
      return {with_status("416 Range Not Satisfiable", fmt::format("Content-Range: bytes */{}\r\n", size))};
    case kBusy:
      return {with_status("503 Service Unavailable", "Retry-After: 2\r\n")};
    case kTooMany:
      return {with_status("429 Too Many Requests", "Retry-After: 1\r\n")};
    case kRedirect:
      return {with_status("302 Found", "Location: http://login.example/\r\n")};
    case kOtherTag: {
      const std::string tag = fmt::format("ETag: \"{}\"\r\n", chance_.below(2));
      const bool other = tag.find('0') == std::string::npos;
      return {with_status("206 Partial Content", content_range(asked.first, asked.last, size) + tag,
                          made_up_bytes(other ? other_version(asked.target) : asked.target,
                                        {DataSize{asked.first}, DataSize{asked.last + 1}}))};
    }
    case kOtherLength:
      return {with_status("206 Partial Content", content_range(asked.first, asked.last, size + 7) + usual_tag,
                          bytes(asked.first, asked.last))};
    case kGzip:
      return {partial(asked.last, "Content-Encoding: gzip\r\n")};
    case kMultipart:
      return {with_status("206 Partial Content", "Content-Type: multipart/byteranges; boundary=x\r\n", "--x--")};
    case kGarbage:
      return {"220 mail.example ESMTP\r\n\r\n"};
    case kExtraBytes:
      return {partial(asked.last, "") + "\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"};
    case kEndlessHead: {
      std::string text = "HTTP/1.1 206 Partial Content\r\n";
      for (int i = 0; i < 3000; ++i) text += fmt::format("X-Field-{}: more to come\r\n", i);
      return {text, Then::kSilence};
    }
    case kChunked:
      return {"HTTP/1.1 206 Partial Content\r\nTransfer-Encoding: chunked\r\n" + usual_tag +
              content_range(asked.first, asked.last, size) + "\r\n" + chunked(bytes(asked.first, asked.last))};
    case kInterim:
      return {"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + partial(asked.last, "")};
    case kSlowFirstByte:
      return {.bytes = partial(asked.last, ""), .first_byte_after = std::chrono::seconds{3}};
    case kPause:
      return {.bytes = partial(asked.last, ""), .pause = std::chrono::seconds{3}};
    case kLosesPipelined:
      if (pipelined) return {};
      break;
    case kOvertakes:
      return {
          .bytes = partial(asked.last, ""), .overtakes = pipelined, .first_byte_after = std::chrono::milliseconds{20}};
    case kNoLength:
      return {"HTTP/1.1 206 Partial Content\r\n" + usual_tag + content_range(asked.first, asked.last, size) + "\r\n" +
                  bytes(asked.first, asked.last),
              Then::kClose};
    case kTransferCoding:
      return {coded("Transfer-Encoding: gzip, chunked\r\n")};
    case kCodedAnswer:
      return {coded("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n")};
    case kOtherWeakTag:
      return {other_partial("ETag: W/\"another\"\r\n")};
    case kOtherTime:
      return {other_partial("Last-Modified: Sun, 06 Nov 1994 08:49:38 GMT\r\n")};
  }
  return {partial(asked.last, "")};
}

}  // namespace tributary::testing
