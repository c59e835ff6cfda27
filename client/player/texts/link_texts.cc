#include "player/texts/link_texts.hh"

#include <algorithm>

#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

bool carries(const LinkStatus& link) {
  return link.activity == LinkActivity::kUsed || (link.activity == LinkActivity::kIdle && link.share > 0);
}

std::string short_title(const LinkStatus& link, const std::vector<LinkStatus>& all) {
  const bool only_of_its_kind = std::ranges::count(all, link.kind, &LinkStatus::kind) == 1;
  return only_of_its_kind ? kind_text(link.kind) : link.name;
}

/// The links that the bar of shares still shows, and that bring nothing any more. Empty if there is none.
std::string carried_lately(const std::vector<LinkStatus>& links) {
  constexpr double kSeen = 0.005;
  std::string names;
  for (const LinkStatus& link : links) {
    if (!carries(link) && link.share >= kSeen) names += (names.empty() ? "" : ", ") + short_title(link, links);
  }
  return names;
}

}  // namespace

std::string kind_text(const std::string& link_kind) {
  if (link_kind == "wifi") return _("Wi-Fi");
  if (link_kind == "cellular") return _("Mobile network");
  if (link_kind == "ethernet") return _("Cable");
  if (link_kind == "loopback") return _("This computer");
  if (link_kind == "lent") return _("Lent link");
  return _("Virtual network");
}

const char* kind_icon(const std::string& link_kind) {
  if (link_kind == "wifi") return "network-wireless-symbolic";
  if (link_kind == "cellular") return "network-cellular-symbolic";
  if (link_kind == "ethernet") return "network-wired-symbolic";
  if (link_kind == "loopback") return "computer-symbolic";
  if (link_kind == "lent") return "system-users-symbolic";
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
  if (cost.kind == CostKind::kFree) return {};
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
    const std::string link = short_title(*std::ranges::find_if(status.links, carries), status.links);
    const std::string lately = carried_lately(status.links);
    if (!lately.empty()) return say(_("{} alone now, {} until lately"), link, lately);
    return say(_("{} carries this video alone"), link);
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
