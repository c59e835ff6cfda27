#include "units/failure_reason.hh"

#include <array>
#include <utility>

namespace tributary {
namespace {

using enum FailureReason;
constexpr std::array<std::pair<FailureReason, std::string_view>, 26> kNames{{
    {kResolve, "resolve"},
    {kNoRoute, "no-route"},
    {kInterface, "interface"},
    {kConnectTimeout, "connect-timeout"},
    {kRefused, "refused"},
    {kTls, "tls"},
    {kTlsVerification, "tls-verification"},
    {kClosedUnanswered, "closed-unanswered"},
    {kClosedMidBody, "closed-mid-body"},
    {kReset, "reset"},
    {kStalled, "stalled"},
    {kLinkDown, "link-down"},
    {kProtocol, "protocol"},
    {kRangeIgnored, "range-ignored"},
    {kRangeMismatch, "range-mismatch"},
    {kEncoding, "encoding"},
    {kEntityChanged, "entity-changed"},
    {kVersionsDiffer, "versions-differ"},
    {kServerBusy, "server-busy"},
    {kNotFound, "not-found"},
    {kUnauthorized, "unauthorized"},
    {kNoSuchRange, "no-such-range"},
    {kBadRequest, "bad-request"},
    {kRedirected, "redirected"},
    {kNotAllowed, "not-allowed"},
    {kAbandoned, "abandoned"},
}};

}  // namespace

bool is_refusal(FailureReason reason) {
  return reason == kNotFound || reason == kUnauthorized || reason == kNoSuchRange || reason == kBadRequest;
}

std::string_view to_string(FailureReason reason) {
  for (const auto& [value, name] : kNames) {
    if (value == reason) return name;
  }
  return "unknown";
}

std::optional<FailureReason> failure_reason_from(std::string_view text) {
  for (const auto& [value, name] : kNames) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace tributary
