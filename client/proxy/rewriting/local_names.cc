#include "proxy/rewriting/local_names.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "manifests/manifest.hh"
#include "proxy/rewriting/ascii.hh"
#include "proxy/rewriting/rewriting_limits.hh"

namespace tributary::proxy {
namespace {

bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

/// Takes a number with digits only, and without zeros before it.
std::optional<std::size_t> taken_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || size == 0 || (text.front() == '0' && size > 1)) return std::nullopt;
  text.remove_prefix(size);
  return number;
}

/// "_HLS_msn=273", "_HLS_start_offset=2.5". A value is a number, YES, v2, or a UUID.
bool is_directive(std::string_view piece) {
  constexpr std::string_view kBegin = "_HLS_";
  constexpr std::size_t kLongest = 64;
  const std::size_t equals = piece.find('=');
  return piece.starts_with(kBegin) && piece.size() <= kLongest && equals != std::string_view::npos &&
         std::ranges::all_of(piece.substr(kBegin.size(), equals - kBegin.size()),
                             [](char c) { return is_letter_or_digit(c) || c == '_'; }) &&
         std::ranges::all_of(piece.substr(equals + 1),
                             [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-'; });
}

void append_piece(std::string& query, std::string_view piece) {
  if (!query.empty()) query += '&';
  query += piece;
}

template <typename Act>
void each_piece(std::string_view query, Act act) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    act(query.substr(0, end));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
}

}  // namespace

std::size_t LocalNames::number_of_origin(const std::string& origin) {
  const auto [at, is_new] = origin_numbers_.emplace(origin, origins_.size());
  if (!is_new) return at->second;
  if (origins_.size() == kMostOrigins) {
    origin_numbers_.erase(at);
    throw ManifestError{fmt::format("the title is at more than {} web servers", kMostOrigins)};
  }
  origins_.push_back(origin);
  return origins_.size() - 1;
}

std::size_t LocalNames::number_of_query(const std::string& query) {
  const auto [at, is_new] = query_numbers_.emplace(query, next_query_);
  if (is_new) queries_.emplace(next_query_++, query);
  return at->second;
}

void LocalNames::keep_queries(const std::unordered_set<std::string>& used) {
  std::erase_if(query_numbers_, [&](const auto& each) { return !used.contains(each.first); });
  std::erase_if(queries_, [&](const auto& each) { return !used.contains(each.second); });
}

std::string LocalNames::target(const Address& address) {
  std::string text = fmt::format("{}/{}{}", prefix_, number_of_origin(address.origin), address.path);
  if (!address.query.empty()) text += fmt::format("?{}", number_of_query(address.query));
  return text;
}

std::string LocalNames::in_text(std::string_view behind_prefix) const {
  return fmt::format("{}{}/{}", outside_, prefix_, behind_prefix);
}

std::optional<LocalNames::Asked> LocalNames::read(std::string_view target) const {
  if (!target.starts_with(prefix_) || target.size() > 2 * kLongestAddress) return std::nullopt;
  target.remove_prefix(prefix_.size());
  if (!target.starts_with('/')) return std::nullopt;
  target.remove_prefix(1);
  target = target.substr(0, target.find('#'));
  const auto origin = taken_number(target);
  if (!origin || *origin >= origins_.size() || !target.starts_with('/')) return std::nullopt;
  const std::size_t mark = std::min(target.find('?'), target.size());

  Asked asked;
  asked.origin = origins_[*origin];
  asked.path = plain_path(target.substr(0, mark));
  asked.query.emplace();
  std::string numbers;
  bool known = true;
  each_piece(target.substr(std::min(mark + 1, target.size())), [&](std::string_view piece) {
    if (is_directive(piece)) return append_piece(asked.directives, piece);
    std::string_view rest = piece;
    const auto number = taken_number(rest);
    if (!number || (!rest.empty() && rest.front() != '.')) return;  // a player added it: CMCD
    append_piece(numbers, piece);
    const auto query = queries_.find(*number);
    known = known && query != queries_.end();
    if (!rest.empty()) asked.query.reset();
    if (known && asked.query) append_piece(*asked.query, query->second);
  });
  if (!known) return std::nullopt;
  asked.behind_prefix = fmt::format("{}{}{}{}", *origin, asked.path, numbers.empty() ? "" : "?", numbers);
  return asked;
}

DividedQuery divided(std::string_view query) {
  DividedQuery result;
  each_piece(query, [&](std::string_view piece) {
    append_piece(is_directive(piece) ? result.directives : result.rest, piece);
  });
  if (result.directives.empty()) result.rest = query;
  return result;
}

}  // namespace tributary::proxy
