#include "program/real_link_costs.hh"

#include <fmt/format.h>

#include <ctime>

#include "links/link_catalogue.hh"
#include "system/state_files.hh"

namespace tributary {
namespace {

/// The day in local time, by which a contract's month begins.
UsageLedger::Day today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return UsageLedger::Day{std::chrono::year{local.tm_year + 1900},
                          std::chrono::month{static_cast<unsigned>(local.tm_mon + 1)},
                          std::chrono::day{static_cast<unsigned>(local.tm_mday)}};
}

std::optional<std::string> folder_of_counts(const RealLinkCosts::Say& say, const TermsOfLinks& terms) {
  try {
    return state_folder();
  } catch (const std::exception& error) {
    if (!terms.empty()) say(error.what());
    return std::nullopt;
  }
}

}  // namespace

RealLinkCosts::RealLinkCosts(TermsOfLinks terms, const LinkCatalogue* catalogue, Say say)
    : terms_{std::move(terms)},
      say_{std::move(say)},
      ledger_{folder_of_counts(say_, terms_),
              {[this](const std::string& link) { return network_of(link, origin_addresses_); }, today, say_}},
      lent_{catalogue == nullptr ? nullptr : catalogue->source<lending::LentLinks>()} {}

std::unique_ptr<LinkLease> RealLinkCosts::Budget::lease(const std::string& link, const LinkTerms& terms) {
  const bool is_lent = terms.kind == CostKind::kLent && costs.lent_ && costs.lent_->has(link);
  return is_lent ? costs.lent_->lease(link) : costs.ledger_.lease(link, terms);
}

LinkTerms RealLinkCosts::terms_of(const std::string& link) {
  const std::lock_guard lock{mutex_};
  const auto said = terms_.find(link);
  if (said != terms_.end()) return said->second;
  if (lent_ && lent_->has(link)) return lent_->terms(link);
  LinkTerms terms;
  if (manager_.metered(link).value_or(false)) {
    terms.kind = CostKind::kBackup;
    say_(fmt::format("{} is metered, as the desktop says: used as a backup only (--link {}=free uses it always)", link,
                     link));
  }
  return terms_[link] = terms;
}

LinkUse RealLinkCosts::use_of(const std::string& link) {
  return is_spared(terms_of(link).kind) ? LinkUse::kWhenNeeded : LinkUse::kUse;
}

}  // namespace tributary
