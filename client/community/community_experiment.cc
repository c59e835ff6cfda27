#include "community/community_experiment.hh"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <stdexcept>

#include "bonding/scheduling/path_scheduler.hh"
#include "units/text/quantity_text.hh"

namespace tributary::community {
namespace {

// More would take longer to run than anybody waits for.
constexpr std::size_t kMostStreams = 32;
constexpr DataSize kLargestPacket{65'535};

[[noreturn]] void refuse(std::string_view words, std::string_view expected) {
  throw std::invalid_argument(fmt::format("\"{}\": expected {}", words, expected));
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

DataSize parse_packet(std::string_view text) {
  const DataSize size = parse_size(text);
  if (size <= DataSize{} || size > kLargestPacket) refuse(text, "a packet of 1 to 65535 bytes");
  return size;
}

DataSize parse_file(std::string_view text) {
  const DataSize size = parse_size(text);
  if (size <= DataSize{}) refuse(text, "a file of at least a byte");
  return size;
}

DataRate parse_stream(std::string_view text) {
  const DataRate rate = parse_rate(text);
  if (rate <= DataRate{}) refuse(text, "a rate above 0");
  return rate;
}

Duration parse_positive(std::string_view text) {
  const Duration duration = parse_duration(text);
  if (duration <= Duration{}) refuse(text, "a time above 0");
  return duration;
}

struct Clause {
  std::string_view name;
  void (*take)(Experiment& experiment, std::string_view value);
};
constexpr std::array<Clause, 8> kClauses{{
    {"stream", [](Experiment& it, std::string_view value) { it.streams.push_back(parse_stream(value)); }},
    {"file", [](Experiment& it, std::string_view value) { it.file = parse_file(value); }},
    {"packet", [](Experiment& it, std::string_view value) { it.packet = parse_packet(value); }},
    {"headers", [](Experiment& it, std::string_view value) { it.headers = parse_size(value); }},
    {"window", [](Experiment& it, std::string_view value) { it.window = parse_size(value); }},
    {"told", [](Experiment& it, std::string_view value) { it.told = parse_duration(value); }},
    {"from", [](Experiment& it, std::string_view value) { it.from = TimePoint{parse_duration(value)}; }},
    {"for", [](Experiment& it, std::string_view value) { it.length = parse_positive(value); }},
}};

void take(Experiment& experiment, std::string_view clause) {
  const auto space = clause.find(' ');
  const std::string_view name = clause.substr(0, space);
  for (const Clause& known : kClauses) {
    if (known.name == name && space != std::string_view::npos)
      return known.take(experiment, trimmed(clause.substr(space)));
  }
  refuse(
      clause,
      "stream RATE, file SIZE, packet SIZE, headers SIZE, window SIZE, told DURATION, from DURATION or for DURATION");
}

}  // namespace

Experiment parse_experiment(std::string_view text) {
  Experiment experiment;
  std::size_t comma = text.find(',');
  experiment.scheduler = trimmed(text.substr(0, comma));
  bonding::scheduler_kind(experiment.scheduler);  // throws if there is none
  while (comma != std::string_view::npos) {
    const std::size_t next = text.find(',', comma + 1);
    take(experiment, trimmed(text.substr(comma + 1, next == std::string_view::npos ? next : next - comma - 1)));
    comma = next;
  }
  if (experiment.file.has_value() != experiment.streams.empty()) refuse(text, "streams or a file");
  if (experiment.streams.size() > kMostStreams) refuse(text, fmt::format("at most {} streams", kMostStreams));
  return experiment;
}

}  // namespace tributary::community
