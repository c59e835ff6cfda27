#include "manifests/live/origin_time.hh"

#include <array>
#include <optional>
#include <string_view>

#include "dash/xml/xml_time.hh"
#include "manifests/listed_track.hh"
#include "transport/connections/origin.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

// With a service of time. Without it, a stream begins a second later at the most.
constexpr Duration kClockPatience = 2s;

enum class Service { kDirect, kHead, kText };

/// "urn:mpeg:dash:utc:http-xsdate:2014"
std::optional<Service> service_of(const std::string& scheme) {
  constexpr std::string_view kPrefix = "urn:mpeg:dash:utc:";
  if (!scheme.starts_with(kPrefix)) return std::nullopt;
  const std::string name = scheme.substr(kPrefix.size(), scheme.rfind(':') - kPrefix.size());
  if (name == "direct") return Service::kDirect;
  if (name == "http-head") return Service::kHead;
  if (name == "http-xsdate" || name == "http-iso") return Service::kText;
  return std::nullopt;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// The digits that a time was written with cut it off.
Duration step_of(std::string_view time) {
  return time.find('.') == std::string_view::npos ? Duration{1s} : Duration{1ms};
}

bool add_text(std::string_view text, UtcTime sent, UtcTime received, ClockOffset& offset) {
  const std::string_view time = without_blanks(text);
  const auto read = time.size() < 100 ? dash::date_time_from(time) : std::nullopt;
  if (!read) return false;
  offset.add(read->time_since_epoch(), sent.time_since_epoch(), received.time_since_epoch(), step_of(time));
  return true;
}

bool ask(Service service, const std::string& url, const FetchFiles& fetch, ClockOffset& offset) {
  // The head alone is wanted; a file of any size may be behind it.
  const std::optional<ByteRange> range =
      service == Service::kHead ? std::optional{ByteRange{DataSize{0}, DataSize{1}}} : std::nullopt;
  const std::array<WantedFile, 1> wanted{{{url, range, kClockPatience}}};
  const FetchedFile file = fetch(wanted).front();
  if (service == Service::kText) return add_text(file.bytes, file.sent, file.received, offset);
  if (!file.date) return false;
  offset.add(file.date->time_since_epoch(), file.sent.time_since_epoch(), file.received.time_since_epoch());
  return true;
}

}  // namespace

OriginTime origin_time(const dash::Mpd& mpd, const std::string& url, const FetchFiles& fetch,
                       const ManifestMoment& moment) {
  for (const dash::Descriptor& timing : mpd.utc_timings) {
    const auto service = service_of(timing.scheme);
    ClockOffset offset;
    if (service == Service::kDirect && add_text(timing.value, moment.sent, moment.now, offset)) return {offset, true};
    if (!service || service == Service::kDirect) continue;
    for (std::string_view addresses = without_blanks(timing.value); !addresses.empty();) {  // separated by blanks
      const std::string_view address = addresses.substr(0, addresses.find(' '));
      addresses = without_blanks(addresses.substr(address.size()));
      try {
        if (ask(*service, absolute_url(url, std::string{address}), fetch, offset)) return {offset, true};
      } catch (const std::runtime_error&) {  // the next one may answer
      }
    }
  }
  return {moment.origin, false};
}

}  // namespace tributary
