#include "lend/daily_use.hh"

#include <algorithm>
#include <ctime>
#include <exception>
#include <limits>

#include "accounts/usage_books.hh"

namespace tributary::lending {
namespace {

constexpr const char* kAll = "lent";

std::string lent_to(const std::string& member) { return "lent to " + member; }

/// In local time, by which people count days.
std::string today() {
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

DataSize DailyUse::take(const std::string& member, DataSize wanted) {
  if (!caps_.any()) return wanted;
  try {
    UsageBooks books{folder_, warn_};
    if (books.lost()) return {};
    UsageBooks::Usage& own = books.usage_of(lent_to(member), today());
    const DataSize by_own_cap = left_of(caps_.member, own, wanted);
    const DataSize size = left_of(caps_.all, books.usage_of(kAll, today()), by_own_cap);
    if (size == DataSize{}) return {};
    books.usage_of(lent_to(member), today()).add(size);
    books.usage_of(kAll, today()).add(size);
    books.save();
    return size;
  } catch (const std::exception& error) {
    warn_(error.what());
    return {};
  }
}

void DailyUse::give_back(const std::string& member, DataSize unused) {
  if (!caps_.any() || unused == DataSize{}) return;
  try {
    UsageBooks books{folder_, warn_};
    books.take_back(lent_to(member), today(), unused.bytes());
    books.take_back(kAll, today(), unused.bytes());
    books.save();
  } catch (const std::exception& error) {
    warn_(error.what());
  }
}

std::optional<DataSize> DailyUse::left(const std::string& member) const {
  if (!caps_.any()) return std::nullopt;
  try {
    UsageBooks books{folder_, warn_};
    if (books.lost()) return DataSize{};
    const DataSize any{std::numeric_limits<std::int64_t>::max() / 4};
    const DataSize own = left_of(caps_.member, books.usage_of(lent_to(member), today()), any);
    return left_of(caps_.all, books.usage_of(kAll, today()), own);
  } catch (const std::exception& error) {
    warn_(error.what());
    return DataSize{};
  }
}

}  // namespace tributary::lending
