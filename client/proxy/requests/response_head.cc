#include "proxy/requests/response_head.hh"

#include <algorithm>
#include <array>
#include <boost/beast/http/status.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>

namespace tributary::proxy {

namespace {

// All that players look at; "*" would not be understood by older browsers.
constexpr std::string_view kExposed =
    "Accept-Ranges, CMSD-Dynamic, CMSD-Static, Content-Encoding, Content-Length, Content-Range, Content-Type, Date, "
    "ETag, Last-Modified";
constexpr std::string_view kAllowed =
    "*, Range, If-None-Match, If-Range, Cache-Control, Pragma, CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status";
constexpr std::array<std::string_view, 8> kOfServer{
    "Connection", "Keep-Alive", "Content-Length", "Content-Range", "Transfer-Encoding", "Trailer", "Upgrade", "Vary"};

bool is_token(std::string_view name) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || kMarks.find(c) != std::string_view::npos;
  });
}

bool is_value(std::string_view value) {
  return std::ranges::none_of(value, [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; });
}

std::string_view opaque(std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  return etag;
}

}  // namespace

std::string response_head(unsigned status, const Fields& fields) {
  const auto reason = boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(status));
  std::string head = "HTTP/1.1 " + std::to_string(status) + " " + std::string{reason.data(), reason.size()} + "\r\n";
  for (const auto& [name, value] : fields) {
    if (is_token(name) && is_value(value)) head.append(name).append(": ").append(value).append("\r\n");
  }
  return head + "\r\n";
}

bool is_of_server(std::string_view name) {
  return std::ranges::any_of(kOfServer, [&](std::string_view own) { return is_same_name(own, name); }) ||
         is_same_name(name.substr(0, 15), "Access-Control-");
}

std::string http_date(std::int64_t seconds_since_1970) {
  using namespace std::chrono;
  constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const sys_seconds time{seconds{seconds_since_1970}};
  const sys_days day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s, %02u %s %04d %02d:%02d:%02d GMT", kDays.at(weekday{day}.c_encoding()),
                static_cast<unsigned>(date.day()), kMonths.at(static_cast<unsigned>(date.month()) - 1),
                static_cast<int>(date.year()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  return text.data();
}

void add_sharing(Fields& fields, const std::optional<std::string>& page) {
  fields.emplace_back("Vary", "Origin");
  fields.emplace_back("Timing-Allow-Origin", "*");
  if (!page) return;
  fields.emplace_back("Access-Control-Allow-Origin", *page);
  fields.emplace_back("Access-Control-Expose-Headers", kExposed);
}

Fields preflight_fields(const std::optional<std::string>& page, bool asks_for_local) {
  Fields fields{{"Vary", "Origin"}, {"Content-Length", "0"}, {"Allow", "GET, HEAD, POST, OPTIONS"}};
  if (!page) return fields;
  fields.emplace_back("Access-Control-Allow-Origin", *page);
  fields.emplace_back("Access-Control-Allow-Methods", "GET, HEAD");
  fields.emplace_back("Access-Control-Allow-Headers", kAllowed);
  fields.emplace_back("Access-Control-Max-Age", "600");
  if (asks_for_local) fields.emplace_back("Access-Control-Allow-Private-Network", "true");
  return fields;
}

bool has_etag(std::string_view if_none_match, std::string_view etag) {
  if (if_none_match == "*") return true;
  while (!if_none_match.empty()) {  // quoted texts have no quote in them
    const std::size_t begin = if_none_match.find('"');
    const std::size_t end = begin == std::string_view::npos ? begin : if_none_match.find('"', begin + 1);
    if (end == std::string_view::npos) return false;
    if (if_none_match.substr(begin, end + 1 - begin) == opaque(etag)) return true;
    if_none_match.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace tributary::proxy
