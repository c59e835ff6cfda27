#include "lend/daily_use.hh"

#include <algorithm>
#include <ctime>
#include <exception>
#include <limits>

#include "accounts/usage_books.hh"
#include "system/event_loop.hh"

namespace tributary::lending {
namespace {

constexpr const char* kAll = "lent";

std::string lent_to(const std::string& member) { return "lent to " + member; }

/// In local time.
std::string today_here() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[sizeof "2026-01-02"] = "";
  (void)std::strftime(text, sizeof text, "%Y-%m-%d", &local);
  return text;
}

DataSize left_of(const std::optional<DataSize>& cap, const UsageBooks::Usage& used, DataSize wanted) {
  return cap ? std::clamp(*cap - DataSize{used.bytes}, DataSize{}, wanted) : wanted;
}

}  // namespace

DailyUse::Clock DailyUse::own_clock() { return {.today = today_here, .now = EventLoop::now}; }

DailyUse::Taken DailyUse::take(const std::string& member, DataSize wanted) {
  const std::string day = today();
  const DataSize uncounted = caps_.any() ? DataSize{} : wanted;
  left_.clear();
  try {
    UsageBooks books{folder_, warn_};
    if (books.lost()) return {day, uncounted};
    UsageBooks::Usage& own = books.usage_of(lent_to(member), day);
    const DataSize by_own_cap = left_of(caps_.member, own, wanted);
    const DataSize size = left_of(caps_.all, books.usage_of(kAll, day), by_own_cap);
    if (size == DataSize{}) return {day, {}};
    books.usage_of(lent_to(member), day).add(size);
    books.usage_of(kAll, day).add(size);
    books.save();
    return {day, size};
  } catch (const std::exception& error) {
    warn_(error.what());
    return {day, uncounted};
  }
}

void DailyUse::give_back(const std::string& member, const Taken& unused) {
  if (unused.size == DataSize{}) return;
  left_.clear();
  try {
    UsageBooks books{folder_, warn_};
    books.take_back(lent_to(member), unused.day, unused.size.bytes());
    books.take_back(kAll, unused.day, unused.size.bytes());
    books.save();
  } catch (const std::exception& error) {
    warn_(error.what());
  }
}

std::optional<DataSize> DailyUse::left(const std::string& member) const {
  if (!caps_.any()) return std::nullopt;
  const std::string day = today();
  const TimePoint now = clock_.now();
  const auto known = left_.find(member);
  if (known != left_.end() && known->second.day == day && now < known->second.until) return known->second.size;
  const DataSize left = left_in_books(member);
  left_[member] = {left, day, now + kDelay};
  return left;
}

DataSize DailyUse::left_in_books(const std::string& member) const {
  try {
    UsageBooks books{folder_, warn_};
    if (books.lost()) return DataSize{};
    const DataSize any{std::numeric_limits<std::int64_t>::max() / 4};
    const std::string day = today();
    const DataSize own = left_of(caps_.member, books.usage_of(lent_to(member), day), any);
    return left_of(caps_.all, books.usage_of(kAll, day), own);
  } catch (const std::exception& error) {
    warn_(error.what());
    return DataSize{};
  }
}

}  // namespace tributary::lending
