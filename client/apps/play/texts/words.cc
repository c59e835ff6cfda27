#include "apps/play/texts/words.hh"

#include <algorithm>
#include <cmath>

#include "apps/play/glib/g_handles.hh"
#include "apps/play/texts/translation.hh"

namespace tributary::play {
namespace {

bool carries(const LinkStatus& link) {
  return link.activity == LinkActivity::kUsed || (link.activity == LinkActivity::kIdle && link.share > 0);
}

}  // namespace

std::string number_text(double number, int decimals) {
  return GlibString{g_strdup_printf("%.*f", decimals, number)}.get();
}

std::string clock_text(Duration time) {
  const auto seconds = std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(time).count());
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string span_text(Duration span) {
  const double seconds = to_seconds(span);
  if (seconds < 9.95) return say(_("{} s"), number_text(seconds, 1));
  if (seconds < 119.5) return say(_("{} s"), number_text(seconds, 0));
  return say(_("{} min"), number_text(seconds / 60, 0));
}

std::string rate_text(DataRate rate) {
  const double kilobits = rate.kilobits_per_second();
  if (kilobits < 999.5) return say(_("{} kbit/s"), number_text(kilobits, 0));
  return say(_("{} Mbit/s"), number_text(kilobits / 1e3, kilobits < 99'950 ? 1 : 0));
}

std::string size_text(DataSize size) {
  return GlibString{g_format_size(static_cast<guint64>(std::max<std::int64_t>(0, size.bytes())))}.get();
}

std::string percent_text(double fraction) {
  // Translators: a share of a whole.
  return say(_("{} %"), number_text(fraction * 100, 0));
}

std::string speed_text(double speed) {
  const bool two = std::abs(speed * 10 - std::round(speed * 10)) > 0.01;
  return number_text(speed, two ? 2 : 1) + "×";
}

std::string kind_text(const std::string& link_kind) {
  if (link_kind == "wifi") return _("Wi-Fi");
  if (link_kind == "cellular") return _("Mobile network");
  if (link_kind == "ethernet") return _("Cable");
  if (link_kind == "loopback") return _("This computer");
  return _("Virtual network");
}

const char* kind_icon(const std::string& link_kind) {
  if (link_kind == "wifi") return "network-wireless-symbolic";
  if (link_kind == "cellular") return "network-cellular-symbolic";
  if (link_kind == "ethernet") return "network-wired-symbolic";
  if (link_kind == "loopback") return "computer-symbolic";
  return "network-vpn-symbolic";
}

std::string link_title(const LinkStatus& link) { return fmt::format("{} · {}", kind_text(link.kind), link.name); }

std::string activity_text(const LinkStatus& link) {
  switch (link.activity) {
    case LinkActivity::kUsed:
      return say(_("Carries {} of the video"), percent_text(link.share));
    case LinkActivity::kIdle:
      return _("Ready, nothing to fetch now");
    case LinkActivity::kSuspect:
      return _("Does not answer in time");
    case LinkActivity::kAvoided:
      return _("Failed, left alone for now");
    case LinkActivity::kUsedUp:
      return _("What it may bring is used up");
    case LinkActivity::kStandby:
      return _("Standing by until it is needed");
    case LinkActivity::kOff:
      return _("Not used, as you chose");
    case LinkActivity::kDown:
      return _("Not connected");
  }
  return {};
}

std::string cost_question_text(const LinkStatus& link) {
  if (link.cost.kind == CostKind::kPaid)
    return say(_("{} costs {} for each MB."), link_title(link), number_text(link.cost.price_per_mb, 2));
  return say(_("{} is metered."), link_title(link));
}

std::string cost_text(const LinkStatus& link) {
  const LinkCost& cost = link.cost;
  if (!cost.spared()) return {};
  if (cost.kind == CostKind::kPaid) {
    const double money = cost.price_per_mb * static_cast<double>(link.received.bytes()) / 1e6;
    return say(_("{}: {}, which cost {}"), link_title(link), size_text(link.received), number_text(money, 2));
  }
  const std::string text = say(_("{}: {}"), link_title(link), size_text(link.received));
  if (!cost.cap) return text;
  return text + " · " + say(_("{} of {} used"), size_text(cost.used_before + link.received), size_text(*cost.cap));
}

bool is_trouble(LinkActivity activity) {
  return activity == LinkActivity::kSuspect || activity == LinkActivity::kAvoided ||
         activity == LinkActivity::kUsedUp || activity == LinkActivity::kDown;
}

std::string summary_text(const StreamStatus& status) {
  if (status.links.empty()) return _("No link leads to the server");
  const auto carrying = std::ranges::count_if(status.links, carries);
  if (carrying == 1) {
    const auto link = std::ranges::find_if(status.links, carries);
    const bool only_of_its_kind = std::ranges::count(status.links, link->kind, &LinkStatus::kind) == 1;
    return say(_("{} carries this video alone"), only_of_its_kind ? kind_text(link->kind) : link->name);
  }
  if (carrying > 1) {
    return say(
        ngettext("{} link carries this video", "{} links carry this video together", static_cast<gulong>(carrying)),
        carrying);
  }
  const bool all_troubled =
      std::ranges::all_of(status.links, [](const LinkStatus& link) { return is_trouble(link.activity); });
  return all_troubled ? _("No link works at the moment") : _("The links are at rest");
}

std::string supply_text(const StreamStatus& status) {
  DataRate total;
  for (const LinkStatus& link : status.links) total += link.rate_now;
  const std::string ready = span_text(status.buffered);
  if (total.bits_per_second() < 1) return say(_("{} of video are ready"), ready);
  return say(_("{} arrive · {} of video are ready"), rate_text(total), ready);
}

std::string stall_time_text(const StallStatus& stall, TimePoint now) {
  if (!stall.over) return say(_("now, for {} so far"), span_text(stall.length));
  return say(_("{} ago, for {}"), span_text(std::max(Duration{}, now - stall.at - stall.length)),
             span_text(stall.length));
}

}  // namespace tributary::play
