#include "player/texts/trouble_texts.hh"

#include <algorithm>
#include <array>
#include <utility>

#include "player/texts/link_texts.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"

namespace tributary::play {
namespace {

std::string avoided_because(FailureReason reason) {
  using enum FailureReason;
  switch (reason) {
    case kResolve:
      return _("The name of the server is not known there");
    case kNoRoute:
    case kInterface:
    case kLinkDown:
      return _("No connection could be made over it");
    case kConnectTimeout:
    case kStalled:
      return _("The server does not answer over it");
    case kRefused:
      return _("The server refused the connection");
    case kTls:
      return _("No encrypted connection could be made over it");
    case kTlsVerification:
      return _("It does not lead to the right server: a login page may be in between");
    case kClosedUnanswered:
    case kClosedMidBody:
    case kReset:
    case kAbandoned:
      return _("The connection was lost");
    case kServerBusy:
      return _("The server is overloaded");
    case kNotFound:
    case kUnauthorized:
    case kNoSuchRange:
    case kBadRequest:
    case kRedirected:
      return _("The server did not give out a part of the video");
    case kNotAllowed:
      return _("It leads to this computer or its network, where a video of the internet may not lead");
    case kProtocol:
    case kRangeIgnored:
    case kRangeMismatch:
    case kEncoding:
    case kEntityChanged:
    case kVersionsDiffer:
      return _("The server gave a wrong answer");
  }
  return {};
}

/// `obstacle`: in the words of links/interfaces/link_state.hh.
std::string obstacle_text(const std::string& obstacle) {
  const std::array<std::pair<const char*, const char*>, 6> known{{
      {"interface down", _("It is switched off on this computer.")},
      {"no carrier", _("No cable, or no signal.")},
      {"no address", _("It has no address: it is not connected to a network, or not yet.")},
      {"no route to the origin", _("It does not lead to the server.")},
      {"device deleted", _("The device is not there any more.")},
      {"no such interface", _("There is no such device.")},
  }};
  const auto found = std::ranges::find(known, obstacle, [](const auto& pair) { return std::string{pair.first}; });
  return found == known.end() ? obstacle : std::string{found->second};
}

std::string named(const std::string& link, const StreamStatus& status) {
  const auto found = std::ranges::find(status.links, link, &LinkStatus::name);
  if (found == status.links.end()) return link;
  // Translators: what a link is, and what the system calls it.
  return say(_("{} ({})"), kind_text(found->kind), link);
}

std::string cause_text(const StallReason& reason, const StreamStatus& status, bool over) {
  using enum StallReason::Cause;
  const std::string link = named(reason.link, status);
  const auto rate = [](const std::optional<DataRate>& r) { return rate_text(r.value_or(DataRate{})); };
  switch (reason.cause) {
    case kUnknown:
      return _("The next part of the video was late.");
    case kNoLink:
      return over ? _("No link worked.") : _("No link works. It goes on by itself as soon as one does.");
    case kUsedUp:
      return say(_("{} has brought all that its cap allows, and no other link works."), link);
    case kNotPublished:
      return over ? _("The server did not have the next part of the video yet.")
                  : _("The server does not have the next part of the video yet.");
    case kLinkLost:
      return say(_("{} went away while it was bringing the next part of the video."), link);
    case kLinkFailed:
      return say(_("{} lost its connection to the server while it was bringing the next part of the video."), link);
    case kLinkSilent:
      return say(_("{} is stalled."), link);
    case kLinkSlow:
      return say(_("{} brought the next part of the video at {} only; {} were expected of it."), link,
                 rate(reason.rate), rate(reason.expected));
    case kLinksTooSlow:
      return say(over ? _("All links together brought only {}.") : _("All links together bring only {}."),
                 rate(reason.rate));
  }
  return {};
}

std::string remedy_text(const StallReason& reason, const StreamStatus& status,
                        const std::vector<std::string>& qualities) {
  switch (reason.remedy) {
    case StallReason::Remedy::kUnknown:
      return {};
    case StallReason::Remedy::kOtherLink:
      return say(_("Over {} it would have come in time."), named(reason.other_link, status));
    case StallReason::Remedy::kLowerQuality: {
      const std::size_t quality = reason.quality ? to_index(*reason.quality) : qualities.size();
      if (quality >= qualities.size()) return _("In a lower quality it would have come in time.");
      return say(_("In a lower quality, {}, it would have come in time."), qualities[quality]);
    }
    case StallReason::Remedy::kNothing:
      return _("No other link or quality would have avoided it.");
  }
  return {};
}

}  // namespace

std::string why_text(const LinkStatus& link) {
  switch (link.activity) {
    case LinkActivity::kSuspect:
      return say(_("Nothing has come for {}; {} were asked for."), span_text(link.silent),
                 size_text(link.outstanding_bytes));
    case LinkActivity::kAvoided: {
      const std::string because = link.failure ? avoided_because(*link.failure) : std::string{_("It did not work")};
      if (!link.avoided_for) return say(_("{}; it is not used any more."), because);
      return say(_("{}; tried again in {}."), because, span_text(*link.avoided_for));
    }
    case LinkActivity::kDown:
      return obstacle_text(link.why_down);
    default:
      return {};
  }
}

std::string stall_text(const StreamStatus& status, const std::vector<std::string>& qualities) {
  if (!status.last_stall) return {};
  const StallReason& reason = status.last_stall->reason;
  const std::string cause = cause_text(reason, status, status.last_stall->over);
  const std::string remedy = remedy_text(reason, status, qualities);
  return remedy.empty() ? cause : cause + " " + remedy;
}

}  // namespace tributary::play
