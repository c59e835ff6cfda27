#include "accounts/link_terms.hh"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

constexpr std::string_view kKinds = "free, backup, metered, metered:500MB, metered:500MB@5th or paid:0.01/MB";

[[noreturn]] void refuse(std::string_view text, std::string_view expected) {
  throw std::invalid_argument(fmt::format("\"{}\": expected {}", text, expected));
}

/// "0.01/MB"
double parse_price(std::string_view text) {
  constexpr std::string_view kExpected = "a price for a size, as in 0.01/MB or 4/GB";
  const std::size_t slash = text.find('/');
  double price = 0;
  const std::string_view number = text.substr(0, slash);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), price);
  const bool whole = error == std::errc{} && end == number.data() + number.size();
  if (slash == std::string_view::npos || !whole || !(price >= 0) || !std::isfinite(price)) refuse(text, kExpected);
  const std::string_view unit = text.substr(slash + 1);
  if (unit.empty() || ('0' <= unit[0] && unit[0] <= '9')) refuse(text, kExpected);
  try {
    return price * 1e6 / static_cast<double>(parse_size("1" + std::string{unit}).bytes());
  } catch (const std::invalid_argument&) {
    refuse(text, kExpected);
  }
}

/// "5th"
int parse_day(std::string_view text) {
  int day = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), day);
  const std::string_view ending{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  const bool known = ending.empty() || ending == "st" || ending == "nd" || ending == "rd" || ending == "th";
  if (error != std::errc{} || !known || day < 1 || day > 31) refuse(text, "a day of the month, 1st to 31st");
  return day;
}

DataSize parse_cap(std::string_view text) {
  try {
    const DataSize cap = parse_size(text);
    if (cap > DataSize{}) return cap;
  } catch (const std::invalid_argument&) {  // refused below
  }
  refuse(text, "a cap above 0, as in 500MB");
}

}  // namespace

LinkTerms parse_terms(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const bool more = colon != std::string_view::npos;
  const std::string_view rest = more ? text.substr(colon + 1) : std::string_view{};
  if (kind == "free" && !more) return {};
  if (kind == "backup" && !more) return {.kind = CostKind::kBackup};
  if (kind == "paid" && more) return {.kind = CostKind::kPaid, .price_per_mb = parse_price(rest)};
  if (kind != "metered") refuse(text, kKinds);
  LinkTerms terms{.kind = CostKind::kMetered};
  if (!more) return terms;
  const std::size_t at = rest.find('@');
  terms.cap = parse_cap(rest.substr(0, at));
  if (at != std::string_view::npos) terms.reset_day = parse_day(rest.substr(at + 1));
  return terms;
}

TermsOfLink terms_from(TermsOfLinks terms) {
  return [terms = std::move(terms)](const std::string& link) {
    const auto found = terms.find(link);
    return found == terms.end() ? LinkTerms{} : found->second;
  };
}

UseOfLink free_links_first(UseOfLink use, TermsOfLink terms) {
  return [use = std::move(use), terms = std::move(terms)](const std::string& link) {
    const LinkUse wanted = use(link);
    return wanted == LinkUse::kUse && is_spared(terms(link).kind) ? LinkUse::kWhenNeeded : wanted;
  };
}

}  // namespace tributary
