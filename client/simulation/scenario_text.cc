#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <stdexcept>

#include "simulation/rate_trace.hh"
#include "simulation/scenario.hh"
#include "simulation/thesis_dynamics.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

using namespace literals;

using Words = std::vector<std::string_view>;

constexpr std::size_t kLongestName = 15;  // IFNAMSIZ - 1: links become network interfaces
constexpr std::array<std::string_view, 4> kNamedSettings{"rtt", "jitter", "loss", "queue"};

[[noreturn]] void refuse(std::string_view words, std::string_view expected) {
  throw std::invalid_argument(fmt::format("\"{}\": expected {}", words, expected));
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Words words_of(std::string_view text) {
  Words words = split(text, " \t\r");
  std::erase(words, std::string_view{});
  return words;
}

std::string without_comments(std::string_view text) {
  std::string result;
  for (const std::string_view line : split(text, "\n")) {
    result += line.substr(0, line.find('#'));
    result += '\n';
  }
  return result;
}

template <typename Number>
Number parse_number(std::string_view text, std::string_view expected) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) refuse(text, expected);
  return number;
}

TimePoint parse_time(std::string_view text) { return TimePoint{parse_duration(text)}; }

std::string parse_name(std::string_view name) {
  const bool dots_only = name == "." || name == "..";
  if (name.size() > kLongestName || name.find_first_of("/:%") != std::string_view::npos || dots_only) {
    refuse(name, "a link name of at most 15 characters, without \"/\", \":\" and \"%\"");
  }
  return std::string{name};
}

/// The value of one property from this moment on.
struct TimedSetting {
  TimePoint at;
  std::string_view name, value;
};

struct Outage {
  TimePoint from;
  std::optional<TimePoint> until;

  bool covers(TimePoint time) const { return from <= time && (!until || time < *until); }
};

/// Reads the clauses of one link one after the other, then lays them out in time.
class LinkText {
 public:
  explicit LinkText(std::string_view text) {
    const std::vector<std::string_view> clauses = split(text, ",");
    const Words head = words_of(clauses.front());
    if (head.size() != 3) refuse(text, "NAME RATE RTT");
    name_ = parse_name(head[0]);
    apply_setting(start_, "rtt", head[2]);
    for (std::size_t i = 1; i < clauses.size(); ++i) read_clause(clauses[i]);
    if (trace_.has_value() != (head[1] == "-")) refuse(text, "either a rate, or \"-\" and a trace");
    if (!trace_) apply_setting(start_, "rate", head[1]);
    check_trace_is_alone_with_the_rate();
  }

  LinkScenario scenario() const {
    LinkScenario link{.name = name_, .changes = {}, .period = std::nullopt};
    if (trace_) link.period = trace_->length;
    for (const TimePoint time : moments()) {
      const LinkCondition condition = condition_at(time);
      if (link.changes.empty() || condition != link.changes.back().condition) {
        link.changes.push_back({time, condition});
      }
    }
    return link;
  }

 private:
  void read_clause(std::string_view text) {
    const Words words = words_of(text);
    const std::span<const std::string_view> rest = std::span{words}.subspan(words.empty() ? 0 : 1);
    if (words.empty()) refuse(text, "a clause after the comma");
    if (words[0] == "at" && words.size() >= 3) {
      read_setting(text, rest.subspan(1), parse_time(rest[0]));
    } else if (words[0] == "down" && words.size() >= 2) {
      read_outage(fmt::format("{}", fmt::join(rest, "")));
    } else if (words[0] == "joins" && words.size() == 2) {
      outages_.push_back({TimePoint{}, parse_time(rest[0])});
    } else if (words[0] == "trace" && words.size() >= 2) {
      read_trace(std::string{rest[0]}, fmt::format("{}", fmt::join(rest.subspan(1), "")));
    } else {
      read_setting(text, words, TimePoint{});
    }
  }

  void read_setting(std::string_view clause, std::span<const std::string_view> words, TimePoint at) {
    LinkCondition scratch;  // to refuse a bad value here, and not when its time comes
    if (words.size() == 2 && std::ranges::count(kNamedSettings, words[0]) > 0) {
      apply_setting(scratch, words[0], words[1]);
      settings_.push_back({at, words[0], words[1]});
    } else if (words.size() == 1 && '0' <= words[0][0] && words[0][0] <= '9') {
      apply_setting(scratch, "rate", words[0]);
      settings_.push_back({at, "rate", words[0]});
    } else {
      refuse(clause,
             "RATE, rtt D, jitter D, loss P or queue N, from a time on with \"at T\", or down T..[T], joins T, "
             "trace FILE [x FACTOR]");
    }
  }

  void read_outage(std::string_view times) {
    const std::size_t dots = times.find("..");
    if (dots == std::string_view::npos) refuse(times, "T.. or T..T, as in down 10s..12s");
    Outage outage{parse_time(times.substr(0, dots)), std::nullopt};
    if (dots + 2 < times.size()) outage.until = parse_time(times.substr(dots + 2));
    if (outage.until && *outage.until <= outage.from) refuse(times, "an end after the beginning");
    outages_.push_back(outage);
  }

  void read_trace(const std::string& path, std::string_view scale) {
    if (trace_) refuse(path, "one trace only");
    trace_ = read_rate_trace(path);
    if (scale.empty()) return;
    if (scale[0] != 'x') refuse(scale, "x FACTOR");
    const auto factor = parse_number<double>(scale.substr(1), "a factor, as in x 0.5");
    if (!(factor > 0 && factor < 1e6)) refuse(scale, "a factor above 0");
    for (RateStep& step : trace_->steps) step.rate = factor * step.rate;
  }

  void check_trace_is_alone_with_the_rate() const {
    if (!trace_) return;
    for (const TimedSetting& setting : settings_) {
      if (setting.name == "rate") refuse(setting.value, "no rate beside a trace");
    }
    for (const TimePoint time : moments()) {
      if (time.time_since_epoch() < trace_->length) continue;
      refuse(name_, fmt::format("times within the trace, which loops after {}", format_duration(trace_->length)));
    }
  }

  /// Every moment at which something may change, in order.
  std::vector<TimePoint> moments() const {
    std::vector<TimePoint> times{TimePoint{}};
    for (const TimedSetting& setting : settings_) times.push_back(setting.at);
    for (const Outage& outage : outages_) {
      times.push_back(outage.from);
      // An outage that lasts to the very end of a trace is no change within the trace.
      if (outage.until && !(trace_ && outage.until->time_since_epoch() == trace_->length)) {
        times.push_back(*outage.until);
      }
    }
    if (trace_) {
      for (const RateStep& step : trace_->steps) times.push_back(step.at);
    }
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }

  LinkCondition condition_at(TimePoint time) const {
    LinkCondition condition = start_;
    std::vector<TimedSetting> due = settings_;
    std::erase_if(due, [&](const TimedSetting& setting) { return setting.at > time; });
    std::ranges::stable_sort(due, {},
                             &TimedSetting::at);  // of two settings at the same time, the last in the text holds
    for (const TimedSetting& setting : due) apply_setting(condition, setting.name, setting.value);
    if (trace_) condition.rate = std::prev(std::ranges::upper_bound(trace_->steps, time, {}, &RateStep::at))->rate;
    condition.up = std::ranges::none_of(outages_, [&](const Outage& outage) { return outage.covers(time); });
    return condition;
  }

  std::string name_;
  LinkCondition start_;
  std::vector<TimedSetting> settings_;
  std::vector<Outage> outages_;
  std::optional<RateTrace> trace_;
};

std::vector<LinkScenario> parse_dynamics(const Words& words) {
  if (words.size() != 2 && words.size() != 3) refuse(fmt::format("{}", fmt::join(words, " ")), "dynamics [TOTAL] SEED");
  const DataRate total = words.size() == 3 ? parse_rate(words[1]) : 3_Mbps;
  return thesis_dynamics(parse_number<std::uint64_t>(words.back(), "a seed, a whole number"), total);
}

}  // namespace

void apply_setting(LinkCondition& condition, std::string_view name, std::string_view value) {
  if (name == "rate") {
    condition.rate = parse_rate(value);
  } else if (name == "rtt") {
    condition.rtt = parse_duration(value);
  } else if (name == "jitter") {
    condition.jitter = parse_duration(value);
  } else if (name == "loss") {
    condition.loss = parse_fraction(value);
  } else if (name == "queue") {
    condition.queue_packets = parse_number<int>(value, "a number of packets");
    if (condition.queue_packets < 1) refuse(value, "a queue of at least one packet");
  } else {
    refuse(name, "rate, rtt, jitter, loss or queue");
  }
}

std::vector<LinkScenario> parse_scenario(std::string_view text) {
  const std::string plain = without_comments(text);
  std::vector<std::string_view> parts = split(plain, ";\n");
  std::erase_if(parts, [](std::string_view part) { return words_of(part).empty(); });
  if (parts.empty()) refuse(text, "at least one link, as in wifi 16Mbps 20ms");
  if (words_of(parts[0])[0] == "dynamics" && parts.size() == 1) return parse_dynamics(words_of(parts[0]));

  std::vector<LinkScenario> links;
  for (const std::string_view part : parts) {
    try {
      links.push_back(LinkText{part}.scenario());
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("in the link \"{}\": {}", fmt::join(words_of(part), " "), error.what()));
    }
    const auto same_name = [&](const LinkScenario& link) { return link.name == links.back().name; };
    if (std::ranges::count_if(links, same_name) > 1) refuse(links.back().name, "a name of its own for each link");
  }
  return links;
}

}  // namespace tributary
