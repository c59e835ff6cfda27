#include "transport/http/retry_after.hh"

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace tributary::transport {
namespace {

constexpr std::chrono::hours kLongest{24 * 365};  // a longer duration could overflow

std::optional<Duration> seconds(std::time_t count) {
  return std::clamp<std::chrono::seconds>(std::chrono::seconds{count}, std::chrono::seconds{0}, kLongest);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<Duration> retry_after(const std::string& value, const std::string& date) {
  if (value.empty()) return std::nullopt;
  if (std::ranges::all_of(value, is_digit)) return value.size() > 9 ? kLongest : seconds(std::stol(value));
  const std::time_t until = curl_getdate(value.c_str(), nullptr), now = curl_getdate(date.c_str(), nullptr);
  if (until < 0 || now < 0) return std::nullopt;
  return seconds(until - now);
}

}  // namespace tributary::transport
