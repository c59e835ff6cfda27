#include "transport/connections/own_fields.hh"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace tributary::transport {
namespace {

constexpr std::array<std::string_view, 2> kSecret{"Authorization", "Cookie"};
constexpr std::array<std::string_view, 16> kOurs{
    "Accept-Encoding",   "Connection", "Content-Length",      "Expect",     "Host",  "If-Match", "If-Modified-Since",
    "If-None-Match",     "If-Range",   "If-Unmodified-Since", "Keep-Alive", "Range", "TE",       "Trailer",
    "Transfer-Encoding", "Upgrade"};

bool is_one_of(std::string_view name, const auto& names) {
  return std::ranges::any_of(names, [&](std::string_view other) { return is_same_name(name, other); });
}

/// RFC 9110 section 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
    return std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const auto first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

}  // namespace

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](unsigned char c) { return std::tolower(c); }, [](unsigned char c) { return std::tolower(c); });
}

bool has_field(const RequestFields& fields, std::string_view name) {
  return std::ranges::any_of(fields, [&](const auto& field) { return is_same_name(field.first, name); });
}

RequestFields OwnFields::for_origin(const Origin& to) const {
  if (to == origin) return fields;
  RequestFields open;
  std::ranges::copy_if(fields, std::back_inserter(open), [](const auto& f) { return !is_one_of(f.first, kSecret); });
  return open;
}

RequestFields::value_type read_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (colon == std::string_view::npos || !is_token(name))
    throw std::invalid_argument{
        fmt::format("\"{}\": expected a field of HTTP, as \"Referer: https://example.org/\"", name)};
  if (is_one_of(name, kOurs)) throw std::invalid_argument{fmt::format("{}: the program says this itself", name)};
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (std::ranges::any_of(value, [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; }))
    throw std::invalid_argument{fmt::format("{}: a control character in its value", name)};
  return {std::string{name}, std::string{value}};
}

RequestFields::value_type basic_authorization(std::string_view user, std::string_view password) {
  const std::string pair = fmt::format("{}:{}", user, password);
  std::string coded(4 * ((pair.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(coded.data()),
                                   reinterpret_cast<const unsigned char*>(pair.data()), static_cast<int>(pair.size()));
  coded.resize(static_cast<std::size_t>(size));
  return {"Authorization", "Basic " + coded};
}

}  // namespace tributary::transport
