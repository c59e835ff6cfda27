#include "report/bill.hh"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

using nlohmann::ordered_json;

double money_for(const LinkCost& cost, DataSize bytes) {
  return cost.price_per_mb * static_cast<double>(bytes.bytes()) / 1e6;
}

/// The rate while a request was outstanding; 0: the link has brought nothing.
DataRate rate_of(const LinkRecord& link, TimePoint now) {
  Duration busy = link.busy;
  if (link.busy_since) busy += now - *link.busy_since;
  return busy > Duration::zero() && link.received > DataSize{} ? link.received / busy : DataRate{};
}

struct Carried {
  DataSize all, spared, distinct, free_used;
  DataRate rate, free_rate;
  bool unknown = false;  // the rate of a spared link was never measured
};

Carried carried_by(const SessionRecord& record) {
  Carried sum;
  for (const auto& [id, link] : record.links()) {
    const DataRate rate = rate_of(link, record.now());
    sum.all += link.received;
    sum.distinct += link.received - link.in_vain;
    sum.rate += rate;
    if (link.cost.spared()) {
      sum.spared += link.received;
      sum.unknown = sum.unknown || rate == DataRate{};
    } else {
      sum.free_used += link.received - link.in_vain;
      sum.free_rate += rate;
    }
  }
  return sum;
}

/// If costs do not differ, every division among the links costs the same.
bool costs_differ(const SessionRecord& record) {
  const LinkCost& first = record.links().begin()->second.cost;
  return std::ranges::any_of(record.links(), [&](const auto& entry) {
    const LinkCost& cost = entry.second.cost;
    return cost.spared() != first.spared() || cost.price_per_mb != first.price_per_mb;
  });
}

Duration media_of(const SessionRecord& record) {
  Duration media{};
  for (const auto& [index, segment] : record.segments()) {
    if (segment.played) media += record.table().duration(index);
  }
  return media;
}

}  // namespace

std::optional<Bill> bill_of(const SessionRecord& record, const SessionOptions& options) {
  const auto costs = [](const auto& entry) { return entry.second.cost.spared(); };
  if (std::ranges::none_of(record.links(), costs)) return std::nullopt;
  const Carried sum = carried_by(record);
  Bill bill;
  bill.spared_bytes = sum.spared;
  bill.free_bytes_used = sum.free_used;
  if (!sum.unknown && sum.rate > DataRate{} && costs_differ(record)) {
    bill.spared_bytes_if_equal.emplace();
    bill.money_if_equal = 0;
  }
  for (const auto& [id, link] : record.links()) {
    Bill::Entry& entry = bill.entries.emplace_back();
    entry.link = link.name;
    entry.cost = link.cost;
    entry.bytes = link.received;
    entry.money = money_for(link.cost, link.received);
    bill.money += entry.money;
    if (!bill.money_if_equal) continue;
    entry.bytes_if_equal = scale(sum.all, rate_of(link, record.now()) / sum.rate);
    entry.money_if_equal = money_for(link.cost, entry.bytes_if_equal);
    *bill.money_if_equal += entry.money_if_equal;
    if (link.cost.spared()) *bill.spared_bytes_if_equal += entry.bytes_if_equal;
  }
  if (sum.all > DataSize{}) bill.share = sum.spared / sum.all;
  const Duration media = media_of(record);
  if (media > Duration::zero()) bill.least_spared_bytes = std::max(sum.distinct - sum.free_rate * media, DataSize{});
  if (bill.spared_bytes > DataSize{}) bill.waiting_averted = waiting_averted(record, options);
  return bill;
}

ordered_json bill_json(const Bill& bill) {
  ordered_json out;
  const auto or_null = [](const auto& value) { return value ? ordered_json(*value) : ordered_json(nullptr); };
  out["bytes"] = bill.spared_bytes.bytes();
  out["money"] = bill.money;
  out["bytes_if_equal"] =
      bill.spared_bytes_if_equal ? ordered_json(bill.spared_bytes_if_equal->bytes()) : ordered_json(nullptr);
  out["money_if_equal"] = or_null(bill.money_if_equal);
  out["least_bytes"] = bill.least_spared_bytes.bytes();
  out["share"] = bill.share;
  const auto seconds = [&](Duration WaitingAverted::*which) {
    return bill.waiting_averted ? ordered_json(to_seconds(*bill.waiting_averted.*which)) : ordered_json(nullptr);
  };
  out["waiting_averted_s"] = seconds(&WaitingAverted::estimate);
  out["waiting_averted_least_s"] = seconds(&WaitingAverted::least);
  out["waiting_averted_most_s"] = seconds(&WaitingAverted::most);
  return out;
}

std::string bill_text(const Bill& bill) {
  std::string text = fmt::format("  bill        {:.2f}: {} over links that cost something", bill.money,
                                 format_size(bill.spared_bytes));
  if (bill.money_if_equal) {
    text += fmt::format("; {:.2f} and {} if all links had been used alike", *bill.money_if_equal,
                        format_size(*bill.spared_bytes_if_equal));
  }
  text += '\n';
  for (const Bill::Entry& entry : bill.entries) {
    if (!entry.cost.spared()) continue;
    text += fmt::format("    {:<9} {:.2f} for {}", entry.link, entry.money, format_size(entry.bytes));
    if (entry.cost.cap) {
      const DataSize left = std::max(*entry.cost.cap - entry.cost.used_before, DataSize{});
      text += fmt::format(" of {} that were left of its cap", format_size(left));
    }
    text += '\n';
  }
  if (!bill.waiting_averted) return text;
  const WaitingAverted& waiting = *bill.waiting_averted;
  return text +
         fmt::format(
             "    good for  about {:.0f} s less of waiting than over the free links alone, in the same qualities ({:.0f} to {:.0f} s); "
             "at most {:.1f} % of the bit rate\n",
             to_seconds(waiting.estimate), to_seconds(waiting.least), to_seconds(waiting.most), 100 * bill.share);
}

}  // namespace tributary
