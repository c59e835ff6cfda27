#include "proxy/titles/own_cmcd.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "units/whole_number.hh"

namespace tributary::proxy {
namespace {

constexpr std::int64_t kHundred = 100;

std::int64_t milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::max(duration, Duration{})).count();
}

std::int64_t kilobits(DataRate rate) { return whole_number(rate.kilobits_per_second()); }

std::int64_t to_hundreds(std::int64_t value) { return (value + kHundred / 2) / kHundred * kHundred; }

void add(transport::RequestFields& fields, const char* name, const std::vector<std::string>& pairs) {
  if (!pairs.empty()) fields.emplace_back(name, fmt::format("{}", fmt::join(pairs, ",")));
}

}  // namespace

transport::RequestFields cmcd_fields(const OwnCmcd& said, std::optional<Duration> due_in) {
  std::vector<std::string> object, request;
  if (said.bitrate) object.push_back(fmt::format("br={}", kilobits(*said.bitrate)));
  if (said.duration) object.push_back(fmt::format("d={}", milliseconds(*said.duration)));
  if (!said.object_type.empty()) object.push_back("ot=" + said.object_type);
  if (due_in && !said.startup) request.push_back(fmt::format("dl={}", to_hundreds(milliseconds(*due_in))));
  if (said.throughput) request.push_back(fmt::format("mtp={}", to_hundreds(kilobits(*said.throughput))));
  if (said.startup) request.emplace_back("su");
  transport::RequestFields fields;
  add(fields, "CMCD-Object", object);
  add(fields, "CMCD-Request", request);
  add(fields, "CMCD-Session",
      {fmt::format("sf={}", said.dash ? 'd' : 'h'), fmt::format("sid=\"{}\"", said.session),
       fmt::format("st={}", said.live ? 'l' : 'v')});
  return fields;
}

std::string made_up_session() { return boost::uuids::to_string(boost::uuids::random_generator{}()); }

std::string object_type(const std::optional<std::string>& said, bool init, std::string_view content_type) {
  constexpr std::array<std::string_view, 8> kKnown{"m", "a", "v", "av", "i", "c", "tt", "o"};
  if (said && std::ranges::find(kKnown, *said) != kKnown.end()) return *said;
  if (init) return "i";
  if (content_type.starts_with("audio/")) return "a";
  if (content_type == "text/vtt") return "c";
  return "";
}

}  // namespace tributary::proxy
