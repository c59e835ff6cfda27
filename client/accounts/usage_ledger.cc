#include "accounts/usage_ledger.hh"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "accounts/usage_lease.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

using Day = UsageLedger::Day;

std::string text_of(Day day) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

Day reset_in(std::chrono::year_month month, int reset_day) {
  const auto last = (month / std::chrono::last).day();
  return month / std::min(std::chrono::day{static_cast<unsigned>(reset_day)}, last);
}

}  // namespace

Day last_reset(Day today, int reset_day) {
  const std::chrono::year_month month{today.year(), today.month()};
  const Day reset = reset_in(month, reset_day);
  return reset <= today ? reset : reset_in(month - std::chrono::months{1}, reset_day);
}

Day next_reset(Day today, int reset_day) {
  const std::chrono::year_month month{today.year(), today.month()};
  const Day reset = reset_in(month, reset_day);
  return reset > today ? reset : reset_in(month + std::chrono::months{1}, reset_day);
}

class UsageLedger::Lease : public LinkLease {
 public:
  Lease(UsageLedger& ledger, std::string link, LinkTerms terms)
      : ledger_{ledger}, link_{std::move(link)}, terms_{terms} {}

  Grant take(DataSize wanted) override {
    try {
      UsageBooks books = ledger_.books();
      const bool moved = move(books);
      return take_from(books, wanted, moved);
    } catch (const std::exception& error) {  // std::runtime_error or fs::filesystem_error
      ledger_.cannot_count(link_, terms_, error);
      if (terms_.cap) return {{}, std::string{"the bytes used of it cannot be counted: "} + error.what()};
      return {wanted};
    }
  }

  void not_requested(DataSize size) override {
    now_.unused = size;
    if (file_) file_->write(now_);
  }

  void give_back(DataSize unused) override {
    if (!file_) return;
    try {
      UsageBooks books = ledger_.books();
      file_.reset();
      if (unused > DataSize{}) {
        books.take_back(now_.network, now_.since, unused.bytes());
        books.save();
      }
      now_ = {};
    } catch (const std::exception& error) {
      ledger_.around_.warn(
          fmt::format("{} that were not used of {} stay counted: {}", format_size(unused), link_, error.what()));
    }
  }

 private:
  /// Moves bytes that are not requested yet to the network that the link leads to now, and to the present reset day.
  /// Returns whether that was necessary.
  bool move(UsageBooks& books) {
    const UsageLease::Record here{ledger_.around_.network_of(link_), ledger_.since(terms_), now_.unused};
    const bool moved = file_ && (here.network != now_.network || here.since != now_.since);
    if (moved) {
      not_requested({});  // if killed in between, the bytes count as used
      books.take_back(now_.network, now_.since, here.unused.bytes());
      books.usage_of(here.network, here.since).add(here.unused);
    }
    now_ = here;
    return moved;
  }

  Grant take_from(UsageBooks& books, DataSize wanted, bool changed) {
    UsageBooks::Usage& usage = books.usage_of(now_.network, now_.since);
    if (books.lost() && terms_.cap) usage.bytes = terms_.cap->bytes();
    const DataSize left = terms_.cap ? std::max(*terms_.cap - DataSize{usage.bytes}, DataSize{}) : wanted;
    const DataSize taken = std::min(wanted, left);
    usage.add(taken);
    if (taken > DataSize{} || books.lost() || changed) books.save();
    if (!file_) file_.emplace(*ledger_.folder_);
    not_requested(now_.unused + taken);
    const DataSize used{usage.bytes};
    if (taken == wanted) return {taken, "", used};
    const std::string anew = text_of(next_reset(ledger_.around_.today(), terms_.reset_day));
    if (books.lost()) return {taken, "what was used of it before is not known; counting begins anew on " + anew, used};
    return {taken,
            fmt::format("{} of its cap of {} are used since {}, by all programs together; it begins anew on {}",
                        format_size(used), format_size(*terms_.cap), now_.since, anew),
            used};
  }

  UsageLedger& ledger_;
  std::string link_;
  LinkTerms terms_;
  UsageLease::Record now_;
  std::optional<UsageLease> file_;
};

UsageBooks UsageLedger::books() const {
  if (!folder_) throw std::runtime_error{"there is no folder to count in"};
  return {*folder_, around_.warn};
}

std::unique_ptr<LinkLease> UsageLedger::lease(const std::string& link, const LinkTerms& terms) {
  return std::make_unique<Lease>(*this, link, terms);
}

DataSize UsageLedger::used(const std::string& link, const LinkTerms& terms) const {
  UsageBooks books = this->books();
  return DataSize{books.usage_of(around_.network_of(link), since(terms)).bytes};
}

std::string UsageLedger::since(const LinkTerms& terms) const {
  return text_of(last_reset(around_.today(), terms.reset_day));
}

void UsageLedger::cannot_count(const std::string& link, const LinkTerms& terms, const std::exception& error) {
  if (!warned_)
    around_.warn(fmt::format("the bytes used of {} cannot be counted: {}{}", link, error.what(),
                             terms.cap ? "; it has a cap, so it is not used" : ""));
  warned_ = true;
}

}  // namespace tributary
