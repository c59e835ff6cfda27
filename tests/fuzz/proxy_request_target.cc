// Requests of players, and of whoever else is on the machine: what is let in has one meaning, however its bytes came,
// and nothing of it could end a line of another request.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "fuzz_target.hh"
#include "proxy/requests/access.hh"
#include "proxy/requests/byte_ranges.hh"
#include "proxy/requests/cmcd.hh"
#include "proxy/requests/file_head.hh"
#include "proxy/requests/request_reader.hh"
#include "proxy/requests/response_head.hh"

using namespace tributary;
using namespace tributary::proxy;
using fuzz::require;

namespace {

const AccessRules kRules{
    .token = "0123456789abcdef0123456789abcdef", .port = 8080, .page_origins = {"https://p.example"}};

bool is_one_line(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

struct Reading {
  std::vector<ReceivedRequest> requests;
  unsigned refusal = 0;
};

Reading read(std::string_view bytes, std::size_t piece) {
  Reading reading;
  RequestReader reader;
  while (!bytes.empty()) {
    const std::size_t count = std::min(piece, bytes.size());
    reader.put(bytes.substr(0, count));
    bytes.remove_prefix(count);
    while (auto next = reader.next()) {
      if (const auto* refusal = std::get_if<Refusal>(&*next)) {
        reading.refusal = refusal->status;
        return reading;
      }
      reading.requests.push_back(std::get<ReceivedRequest>(*next));
    }
    require(!reader.has_begun() || !reader.is_full());  // otherwise no byte would ever be read again
  }
  return reading;
}

void check_request(const ReceivedRequest& request) {
  require(is_one_line(request.method) && is_one_line(request.target));
  require(request.body.empty() || request.method == "POST");
  require(request.body.size() <= RequestLimits::kBody);
  for (const auto& [name, value] : request.fields) require(is_one_line(name) && is_one_line(value));
  require(count_fields(request.fields, "Host") <= 1 && count_fields(request.fields, "Content-Length") <= 1);
  require(count_fields(request.fields, "Transfer-Encoding") == 0);
}

void check_range(std::string_view value) {
  const auto asked = read_range(value);
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1'000}, std::int64_t{1} << 60}) {
    const auto bytes = asked ? bytes_of(*asked, DataSize{size}) : std::nullopt;
    require(!bytes || (!bytes->empty() && bytes->begin >= DataSize{} && bytes->end <= DataSize{size}));
  }
  const auto head = file_head({.phase = IncomingFile::Phase::kComplete,
                               .size = DataSize{1'000},
                               .there = DataSize{1'000},
                               .begun = true,
                               .status = 0,
                               .why = {}},
                              {.range = std::string{value}});
  require(head && head->end && *head->end <= DataSize{1'000} && head->begin <= *head->end);
}

void check_cmcd(const std::string& target, const Fields& fields) {
  const Cmcd cmcd = read_cmcd(target, fields);
  for (const auto& text : {cmcd.next, cmcd.session, cmcd.object_type, cmcd.stream_type}) {
    require(!text || is_one_line(*text));
  }
  require(!cmcd.buffered || *cmcd.buffered >= Duration::zero());
  require(!cmcd.deadline || *cmcd.deadline >= Duration::zero());
  require(!cmcd.bitrate || *cmcd.bitrate > DataRate{});
  const std::string kept = without_cmcd(target);
  require(kept == without_cmcd(kept) && read_cmcd(kept, {}) == Cmcd{});
}

void check_admission(const ReceivedRequest& request) {
  const auto admitted = admit(request, kRules);
  const auto* admission = std::get_if<Admission>(&admitted);
  if (admission == nullptr) return;
  require(admission->target.starts_with('/') && request.target == "/" + kRules.token + admission->target);
  const std::string path = admission->target.substr(0, admission->target.find('?'));
  require(path.find("/../") == std::string::npos && !path.ends_with("/..") && path.find('\\') == std::string::npos);
  require(std::ranges::all_of(admission->target, [](char c) { return c > ' ' && c < 0x7f; }));
  const std::string host = field(request.fields, "Host").value();
  require(host == "127.0.0.1:8080" || host == "localhost:8080" || host == "[::1]:8080");
  require(request.method != "POST" || admission->page == "http://" + host);
  check_cmcd(admission->target, request.fields);
}

void check_head(const Fields& fields) {
  const std::string head = response_head(200, fields);
  const auto lines = std::ranges::count(head, '\n');
  require(lines <= std::ssize(fields) + 2 && head.find("\r\n\r\n") == head.size() - 4);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text(data, size);
  const Reading whole = read(bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}}) {
    const Reading pieces = read(bytes, piece);
    require(pieces.refusal == whole.refusal && pieces.requests.size() == whole.requests.size());
    for (std::size_t i = 0; i < pieces.requests.size(); ++i) {
      require(pieces.requests[i].target == whole.requests[i].target &&
              pieces.requests[i].body == whole.requests[i].body);
    }
  }
  for (const ReceivedRequest& request : whole.requests) {
    check_request(request);
    check_admission(request);
    if (const auto range = field(request.fields, "Range")) check_range(*range);
    if (const auto etags = field(request.fields, "If-None-Match")) has_etag(*etags, "\"1\"");
  }
  // Texts that no request could have, too.
  check_range(bytes);
  check_cmcd(std::string{bytes}, {{"CMCD-Request", std::string{bytes}}});
  check_head({{std::string{bytes}, "a"}, {"a", std::string{bytes}}});
  return 0;
}
