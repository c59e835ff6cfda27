#include "playback/stream_error.hh"

#include <optional>

#include "transport/connections/origin.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

using Kind = StreamFailure::Kind;

std::string host_of(const std::string& url) {
  try {
    return transport::parse_url(url).origin.host;
  } catch (const transport::UrlError&) {
    return redacted(url);
  }
}

/// The failure of a stream, from that of a request to its server.
StreamFailure of_reason(FailureReason reason, const std::string& url, const std::string& detail) {
  const std::string host = host_of(url);
  using enum FailureReason;
  switch (reason) {
    case kResolve:
      return {Kind::kNoAddress, sentence("There is no server named {}.", host), detail};
    case kNoRoute:
    case kInterface:
    case kLinkDown:
      return {Kind::kNoLink, sentence("No network link leads to {}.", host), detail};
    case kConnectTimeout:
    case kStalled:
      return {Kind::kOther, sentence("{} does not answer on any network link.", host), detail};
    case kRefused:
      return {Kind::kOther, sentence("{} refuses the connection: no web server runs there at this port.", host),
              detail};
    case kTls:
      return {Kind::kOther,
              sentence("No encrypted connection to {} can be made: it speaks only old versions of TLS, or none.", host),
              detail};
    case kTlsVerification:
      return {Kind::kCertificate,
              sentence("The certificate of {} is not to be trusted: it is not valid for this name, has expired, or "
                       "was issued by somebody unknown.",
                       host),
              detail};
    case kNotFound:
      return {Kind::kNotFound, sentence("{} does not have what was asked for at {}.", host, redacted(url)), detail};
    case kUnauthorized:
      return {Kind::kOther, sentence("{} does not give it out without a login.", host), detail};
    case kNoSuchRange:
      return {Kind::kOther, sentence("A file on {} is shorter than it should be.", host), detail};
    case kBadRequest:
      return {Kind::kOther, sentence("{} refuses what it is asked for.", host), detail};
    case kServerBusy:
      return {Kind::kOther, sentence("{} is overloaded or out of order; try again later.", host), detail};
    case kRangeIgnored:
    case kRangeMismatch:
    case kEncoding:
      return {Kind::kNoRanges, sentence("{} does not give out parts of its files, as streaming needs.", host), detail};
    case kEntityChanged:
    case kVersionsDiffer:
      return {Kind::kOther, sentence("The files on {} were replaced while they were streamed; open it again.", host),
              detail};
    case kRedirected:
      return {Kind::kOther, sentence("{} points to another place again and again.", host), detail};
    case kClosedUnanswered:
    case kClosedMidBody:
    case kReset:
      return {Kind::kOther, sentence("{} closes connections before it has answered.", host), detail};
    case kNotAllowed:
      return {Kind::kOther,
              sentence("{} is on the internet, and leads to this machine or its network. That is not allowed.", host),
              detail};
    case kAbandoned:
      break;
    case kProtocol:
      return {Kind::kOther, sentence("{} does not speak HTTP as expected.", host), detail};
  }
  return {Kind::kOther, sentence("{} cannot be streamed.", redacted(url)), detail};
}

std::string part_of(const EndedTitle& title) {
  try {
    return transport::resolve_uri(transport::parse_url(title.url), title.missing).url();
  } catch (const transport::UrlError&) {
    return title.missing;
  }
}

}  // namespace

StreamFailure bad_url(const std::string& url, const transport::UrlError& error) {
  return {Kind::kNoAddress, sentence("{} is not an address that can be opened.", redacted(url)), error.what()};
}

StreamFailure no_address(const std::string& url, const transport::LookupError& error) {
  const std::string host = host_of(url);
  return {Kind::kNoAddress,
          error.temporary ? sentence("The address of {} cannot be looked up: is this machine connected?", host)
                          : sentence("There is no server named {}.", host),
          error.what()};
}

StreamFailure not_fetched(const std::string& url, const NoLinkWorked& error) {
  return of_reason(error.tried ? error.reason : FailureReason::kNoRoute, url, error.what());
}

StreamFailure bad_index(const std::string& url, const std::exception& error) {
  return {Kind::kIndex, sentence("{} does not describe a presentation that can be played.", redacted(url)),
          error.what()};
}

StreamFailure ended_early(const EndedTitle& title, const std::string& reason, std::optional<FailureReason> last) {
  if (!title.missing.empty()) {
    const std::string file = part_of(title);
    return {Kind::kPart, sentence("{} does not give out a part of the title: {}.", host_of(file), redacted(file)),
            reason};
  }
  if (last) return of_reason(*last, title.url, reason);
  return {Kind::kNoLink, sentence("Nothing comes from {} over any network link.", host_of(title.url)), reason};
}

StreamFailure live_ended(const std::string& reason) {
  return {Kind::kLiveEnded, sentence("The live stream has ended without saying so: nothing is added any more."),
          reason};
}

StreamFailure other_failure(const std::string& url, const std::exception& error) {
  return {Kind::kOther, sentence("{} cannot be streamed: {}.", redacted(url), error.what()), error.what()};
}

}  // namespace tributary
