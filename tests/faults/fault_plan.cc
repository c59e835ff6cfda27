#include "fault_plan.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "units/split_mix.hh"
#include "units/text/quantity_text.hh"

namespace tributary::testing {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLongest = 60s;  // after that, everything works

constexpr std::array<std::string_view, 34> kNames{"none",
                                                  "close, announced",
                                                  "close, unannounced",
                                                  "reset behind a response",
                                                  "200 to a range",
                                                  "shifted range",
                                                  "short range",
                                                  "truncated",
                                                  "trickle",
                                                  "no answer",
                                                  "404",
                                                  "403",
                                                  "416",
                                                  "503",
                                                  "429",
                                                  "302",
                                                  "other ETag",
                                                  "other length",
                                                  "gzip",
                                                  "multipart",
                                                  "garbage",
                                                  "bytes behind the response",
                                                  "endless head",
                                                  "chunked",
                                                  "103 first",
                                                  "no length",
                                                  "transfer coding",
                                                  "coded answer",
                                                  "other weak ETag",
                                                  "other Last-Modified",
                                                  "slow first byte",
                                                  "pause",
                                                  "loses what is pipelined",
                                                  "answers overtake"};
constexpr auto kLastRandom = static_cast<std::uint32_t>(ServerFault::kOtherTime);

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : mix_{seed * 0x9e3779b97f4a7c15 + 1} {}
  bool one_in(std::uint32_t n) { return mix_.below(n) == 0; }
  std::uint32_t between(std::uint32_t least, std::uint32_t most) { return least + mix_.below(most - least + 1); }
  template <typename T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + mix_.below(static_cast<std::uint32_t>(values.size())));
  }
  TimePoint moment() { return TimePoint{std::chrono::milliseconds{between(0, 40'000)}}; }
  double uniform() { return mix_.uniform(); }

 private:
  SplitMix mix_;
};

SessionOptions random_options(Chance& chance) {
  using enum StreamingMode;
  using enum SubsegmentApproach;
  SessionOptions options;
  options.mode = chance.one_of({kOnDemand, kOnDemand, kOnDemand, kLiveBuffered, kLiveUnbuffered, kDownload});
  options.subsegments = chance.one_of({kStatic, kDynamic, kBalanced, kBalanced, kBalanced});
  options.subsegment_size = DataSize{chance.one_of<std::int64_t>({2'000, 10'000, 40'000, 100'000})};
  options.depth = chance.between(1, 4);
  options.buffer_segments = options.mode == kLiveUnbuffered ? 1 : chance.between(1, 6);
  options.startup_segments = options.mode == kLiveUnbuffered ? 0 : chance.between(0, options.buffer_segments);
  options.adaptation =
      chance.one_of({"thesis", "planned", "throughput", "bola", "bba", "robust-mpc", "dynamic", "fixed:low"});
  options.duplicates_percent = chance.one_of<std::uint32_t>({0, 5, 5, 5, 20});
  options.start = chance.one_of({StartRule::kThesis, StartRule::kFast});
  return options;
}

LinkPhase good_phase(Chance& chance, TimePoint at) {
  return {at, LinkPhase::State::kUp, DataRate::bits_per_second(1e5 * chance.between(2, 60)),
          std::chrono::milliseconds{chance.between(2, 300)}, chance.one_in(4) ? 0.05 * chance.uniform() : 0};
}

std::vector<LinkPhase> faulty_history(Chance& chance) {
  std::vector<LinkPhase> phases{good_phase(chance, TimePoint{})};
  if (chance.one_in(4)) phases[0].state = LinkPhase::State::kDown;  // it joins
  TimePoint at{};
  for (std::uint32_t changes = chance.between(0, 6); changes > 0; --changes) {
    at += std::chrono::milliseconds{chance.one_in(3) ? chance.between(1, 300) : chance.between(300, 12'000)};
    LinkPhase phase = good_phase(chance, at);
    switch (chance.between(0, 6)) {
      case 0:
        phase.state = LinkPhase::State::kDown;
        break;
      case 1:
      case 2:
        phase.state = LinkPhase::State::kSilent;
        break;
      case 3:
        phase.rate = DataRate::bits_per_second(1e3 * chance.between(1, 30));
        break;  // to a crawl
      case 4:
        phase.rtt = std::chrono::milliseconds{chance.between(300, 2'000)};
        break;
      case 5:
        phase.state = LinkPhase::State::kNoRoute;
        break;
      default:
        break;
    }
    phases.push_back(phase);
  }
  if (phases.back().at < TimePoint{kLongest}) phases.push_back(good_phase(chance, TimePoint{kLongest}));
  return phases;
}

std::vector<FaultWindow> random_faults(Chance& chance, std::uint32_t links, std::optional<std::uint32_t> survivor) {
  std::vector<FaultWindow> faults;
  for (std::uint32_t n = chance.between(0, 4); n > 0; --n) {
    FaultWindow window;
    window.fault = static_cast<ServerFault>(chance.between(1, kLastRandom));
    window.from = chance.moment();
    window.until = std::min(window.from + std::chrono::milliseconds{chance.between(200, 20'000)}, TimePoint{kLongest});
    window.probability = chance.one_of({1.0, 0.5, 0.1});
    if (survivor || chance.one_in(2)) window.link = chance.between(0, links - 1);
    if (window.link && window.link == survivor) continue;
    faults.push_back(window);
  }
  return faults;
}

std::vector<TimedEvent> random_wishes(Chance& chance, std::size_t segments, bool seekable) {
  std::vector<TimedEvent> wishes;
  TimePoint at{};
  for (std::uint32_t n = chance.between(1, 12); n > 0; --n) {
    at += std::chrono::milliseconds{chance.one_in(3) ? chance.between(0, 60) : chance.between(60, 6'000)};
    if (seekable && chance.one_in(2)) {
      const auto segment = static_cast<SegmentIndex>(chance.between(0, static_cast<std::uint32_t>(segments - 1)));
      wishes.push_back({at, event::SeekRequested{segment, 0, std::nullopt}});
    } else {
      wishes.push_back({at, event::QualityChosen{
                                chance.one_in(2) ? std::nullopt : std::optional{QualityIndex{chance.between(0, 3)}}}});
    }
  }
  return wishes;
}

}  // namespace

std::string_view to_string(ServerFault fault) { return kNames[static_cast<std::size_t>(fault)]; }

FaultPlan random_plan(std::uint64_t seed) {
  Chance chance{seed};
  FaultPlan plan;
  plan.seed = seed;
  plan.options = random_options(chance);
  const std::uint32_t segments = chance.between(4, 14);
  const std::uint32_t qualities = chance.between(1, 4);
  constexpr std::array<std::uint32_t, 4> kMean{20'000, 40'000, 80'000, 160'000};
  for (std::uint32_t q = 0; q < qualities; ++q) {
    std::vector<std::int64_t>& sizes = plan.sizes.emplace_back();
    for (std::uint32_t s = 0; s < segments; ++s) sizes.push_back(chance.between(kMean[q] / 2, kMean[q] * 3 / 2));
  }
  const std::uint32_t links = chance.between(1, 4);
  for (std::uint32_t link = 0; link < links; ++link) plan.links.push_back(faulty_history(chance));
  if (links > 1 && chance.one_in(2)) {
    plan.survivor = chance.between(0, links - 1);
    plan.links[*plan.survivor] = {{TimePoint{}, LinkPhase::State::kUp,
                                   DataRate::bits_per_second(4e5 * chance.between(1, 10)),
                                   std::chrono::milliseconds{chance.between(2, 100)}, 0}};
    plan.options.adaptation = "fixed:low";
  }
  plan.faults = random_faults(chance, links, plan.survivor);
  if (chance.one_in(3)) plan.wishes = random_wishes(chance, segments, plan.options.mode == StreamingMode::kOnDemand);
  return plan;
}

FaultPlan plan_with(ServerFault habit, std::uint32_t links) {
  FaultPlan plan;
  plan.options.mode = StreamingMode::kDownload;
  plan.sizes = {std::vector<std::int64_t>(6, 400'000)};
  for (std::uint32_t link = 0; link < links; ++link)
    plan.links.push_back({{TimePoint{}, LinkPhase::State::kUp, DataRate::bits_per_second(8e6), 40ms, 0}});
  plan.faults = {{habit, std::nullopt, TimePoint{}, TimePoint::max(), 1}};
  return plan;
}

std::string describe(const FaultPlan& plan) {
  constexpr std::array<std::string_view, 4> kStates{"up", "down", "silent", "without a route"};
  constexpr std::array<std::string_view, 4> kModes{"on demand", "live, buffered", "live, unbuffered", "download"};
  const SessionOptions& o = plan.options;
  std::string text = fmt::format(
      "seed {}: {}, {} segments in {} qualities, subsegments of {} bytes ({}), depth {}, buffer {}, startup {}, {}, duplicates {} %\n",
      plan.seed, kModes[static_cast<std::size_t>(o.mode)], plan.sizes[0].size(), plan.sizes.size(),
      o.subsegment_size.bytes(), name_of(o.subsegments), o.depth, o.buffer_segments, o.startup_segments, o.adaptation,
      o.duplicates_percent);
  for (std::size_t i = 0; i < plan.links.size(); ++i) {
    text += fmt::format("  link {}{}:", i, plan.survivor == i ? " (survives)" : "");
    for (const LinkPhase& phase : plan.links[i]) {
      text += fmt::format(" {:.3f} s {} {:.0f} kbit/s {:.0f} ms loss {:.3f};", to_seconds(phase.at),
                          kStates[static_cast<std::size_t>(phase.state)], phase.rate.kilobits_per_second(),
                          to_seconds(phase.rtt) * 1e3, phase.loss);
    }
    text += "\n";
  }
  for (const FaultWindow& fault : plan.faults) {
    text += fmt::format("  origin: {} for {:.0f} % of the requests over {} from {:.3f} to {:.3f} s\n",
                        to_string(fault.fault), fault.probability * 100,
                        fault.link ? fmt::format("link {}", *fault.link) : "any link", to_seconds(fault.from),
                        to_seconds(fault.until));
  }
  for (const TimedEvent& wish : plan.wishes) {
    if (const auto* seek = std::get_if<event::SeekRequested>(&wish.event))
      text += fmt::format("  user: at {:.3f} s to segment {}\n", to_seconds(wish.at), to_index(seek->segment));
    if (const auto* quality = std::get_if<event::QualityChosen>(&wish.event))
      text += fmt::format("  user: at {:.3f} s quality {}\n", to_seconds(wish.at),
                          quality->quality ? fmt::to_string(to_index(*quality->quality)) : "automatic");
  }
  return text;
}

}  // namespace tributary::testing
