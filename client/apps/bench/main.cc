#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "apps/bench/batch.hh"
#include "apps/bench/bench_options.hh"
#include "apps/bench/outputs.hh"
#include "apps/bench/progress_view.hh"
#include "apps/common/check_advice.hh"
#include "apps/common/command_line_end.hh"
#include "apps/common/forget_networks.hh"
#include "apps/common/local_index.hh"
#include "apps/common/real_link_costs.hh"
#include "apps/common/stop_signal.hh"
#include "core/run.hh"
#include "links/netlink_link_monitor.hh"
#include "oracle/least_spared.hh"
#include "oracle/oracle.hh"
#include "sink/file_sink.hh"
#include "trace/replay.hh"
#include "units/printed_text.hh"
#include "units/redacted_url.hh"
#include "worlds/accounts/costed_world.hh"
#include "worlds/found_presentation.hh"
#include "worlds/memory/network_memory.hh"
#include "worlds/memory/remembering_world.hh"
#include "worlds/network_world.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

RunLabels labels_of(const BenchOptions& options) {
  RunLabels labels;
  labels.run_id =
      options.run_id.empty() ? fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::time(nullptr))) : options.run_id;
  labels.seed = options.seed;
  labels.version = TRIBUTARY_VERSION;
  labels.movie = redacted(options.index);
  return labels;
}

/// What all links could have carried from the start to the end, in bits.
double capacity_until(const std::vector<LinkScenario>& links, TimePoint end) {
  double bits = 0;
  for (const LinkScenario& link : links) {
    for (TimePoint at; at < end;) {
      const LinkCondition& condition = link.at(at);
      const TimePoint until = std::min(link.next_change(at).value_or(end), end);
      if (condition.up) bits += condition.rate.bits_per_second() * to_seconds(until - at);
      at = until;
    }
  }
  return bits;
}

/// What the oracle reaches: its upper bound, so that the share of it that was reached is not flattered. Nothing if the
/// session did not play all there is.
std::optional<Possible> possible_on(const std::vector<LinkScenario>& links, const SessionRecord& record,
                                    const SessionOptions& options) {
  const auto first = record.segments().find(SegmentIndex{0});
  if (!record.complete() || first == record.segments().end() || !first->second.played) return std::nullopt;
  const auto bounds = best_possible(record.table(), links,
                                    {.live = options.mode != StreamingMode::kOnDemand,
                                     .buffer_segments = options.buffer_segments,
                                     .startup = first->second.played->time_since_epoch()});
  if (!bounds) return std::nullopt;
  return Possible{bounds->upper.mean_level, bounds->upper.misses};
}

/// Nothing if all links are free, or none is.
std::optional<FreeLinks> free_links_of(std::vector<LinkScenario> links, const BenchOptions& options,
                                       const SessionRecord& record) {
  const auto costs = [&](const LinkScenario& link) {
    const auto terms = options.terms.find(link.name);
    return terms != options.terms.end() && terms->second.kind != CostKind::kFree;
  };
  if (std::erase_if(links, costs) == 0 || links.empty()) return std::nullopt;
  const LinkCapacity capacity{links, record.now() + std::chrono::seconds{1}};
  FreeLinks free{capacity.delivered_until(record.now()), std::nullopt};
  std::vector<DataSize> sizes;
  std::vector<Duration> durations;
  for (const auto& [index, segment] : record.segments()) {
    if (!segment.played) return free;
    sizes.push_back(segment.size);
    durations.push_back(record.table().duration(index));
  }
  if (sizes.empty() || is_live(options.session.mode)) return free;
  const TimePoint start = *record.segments().begin()->second.played;
  free.least_spared = least_spared({sizes, durations, start, options.session.buffer_segments}, capacity);
  return free;
}

int report(Outputs& outputs, const BenchOptions& options, const SessionRecord& record, const SessionOptions& session,
           const RunLabels& labels, const CapacityOf& capacity) {
  const Summary summary = summarise(record, session);
  outputs.write(summary, record, session, labels, capacity);
  if (!options.quiet) print_text(stdout, summary_text(summary, record, labels.possible));
  if (options.explain) print_text(stdout, misses_text(summary));
  if (!record.complete() && options.quiet) print_text(stderr, "tributary-bench: {}\n", record.ended_because());
  return record.complete() ? 0 : 1;
}

CapacityOf unknown_capacity() {
  return [](LinkId, TimePoint) { return std::nullopt; };
}

/// The links of the scenario, or those of them that were named.
std::vector<LinkScenario> chosen_links(const BenchOptions& options) {
  std::vector<LinkScenario> links = parse_scenario(*options.scenario);
  const auto known = [&](const std::string& name) {
    return std::any_of(links.begin(), links.end(), [&](const LinkScenario& l) { return l.name == name; });
  };
  for (const auto& [name, terms] : options.terms) {
    if (!known(name)) throw std::runtime_error(fmt::format("--link {}: the scenario has no such link", name));
  }
  if (options.links.empty()) return links;
  for (const std::string& name : options.links) {
    if (!known(name)) throw std::runtime_error(fmt::format("--link {}: the scenario has no such link", name));
  }
  std::erase_if(links, [&](const LinkScenario& link) {
    return std::find(options.links.begin(), options.links.end(), link.name) == options.links.end();
  });
  return links;
}

RunEnd simulate(const BenchOptions& options) {
  const std::vector<LinkScenario> links = chosen_links(options);
  Session session{SegmentTable{read_local_index(options.index), options.segments}, options.session};
  Outputs outputs{options};
  SimulatedWorld modelled{session.table(), links, options.seed, is_live(options.session.mode)};
  std::optional<CostedWorld> costed;
  World& world = options.terms.empty() ? modelled : static_cast<World&>(costed.emplace(modelled, options.terms));
  SessionRecord record{session.table()};
  std::vector<SessionObserver*> observers{&record};
  std::optional<TraceWriter> trace;
  if (outputs.trace().wanted()) observers.push_back(&trace.emplace(outputs.trace().stream(), session));
  run(session, world, observers);

  RunLabels labels = labels_of(options);
  labels.scenario = *options.scenario;
  labels.capacity_bits = capacity_until(links, record.now());
  labels.possible = possible_on(links, record, options.session);
  labels.free_links = free_links_of(links, options, record);
  const auto capacity = [&](LinkId id, TimePoint at) -> std::optional<DataRate> {
    const LinkCondition& condition = links[to_index(id)].at(at);
    return condition.up ? condition.rate : DataRate{};
  };
  const int status = report(outputs, options, record, options.session, labels, capacity);
  return {status, record.now().time_since_epoch()};
}

int stream(const BenchOptions& options) {
  const auto say = [](const std::string& text) { print_text(stderr, "tributary-bench: {}\n", text); };
  RealLinkCosts costs{options.terms, say};
  const UseOfLink use = [&](const std::string& link) { return costs.use_of(link); };
  PresentationSearch search{options.index, options.links, options.ca_file};
  search.use = use;
  if (!options.quiet) search.tell = say;
  const FoundPresentation found = find_presentation(search);
  costs.lead_to(found.addresses);
  const std::string url = found.location.url();
  Presentation presentation = index_from(found.index, redacted(url));
  const bool grows = presentation.live && !presentation.complete;
  if (grows && !is_live(options.session.mode))
    throw std::runtime_error(redacted(url) + " is live: use --mode live-buffered or live-unbuffered");
  // As many segments are there at once as the buffer holds: playout starts so far behind the live edge.
  if (grows) presentation = presentation.last_segments(options.session.buffer_segments);
  Session session{SegmentTable{presentation, options.segments}, options.session};
  Outputs outputs{options};
  std::optional<FileSink> sink;
  if (options.save_file) sink.emplace(*options.save_file);

  transport::CurlLoop loop;
  NetlinkLinkMonitor monitor{found.addresses, options.links};
  std::optional<LiveOrigin> origin;
  if (grows) {
    origin.emplace(loop, presentation,
                   LiveOrigin::Options{.url = url,
                                       .ca_file = options.ca_file,
                                       .give_up_after = options.session.give_up_after,
                                       .ended_after = options.session.give_up_after});
  }
  const int stop_fd = stop_signal_fd();
  NetworkWorld network{session.table(),
                       loop,
                       monitor,
                       connections_to(found, loop, {.link = {}, .ca_file = options.ca_file, .http = options.http}),
                       {.live_replay = is_live(options.session.mode) && !grows,
                        .live_origin = origin ? &*origin : nullptr,
                        .use = use,
                        .stop_fd = stop_fd,
                        .sink = sink ? &*sink : nullptr}};
  const auto memory = link_memory(found.addresses, say);
  RememberingWorld remembering{network, memory.get()};
  CostedWorld world{remembering, [&](const std::string& link) { return costs.terms_of(link); }, &costs.budget()};

  SessionRecord record{session.table()};
  std::vector<SessionObserver*> observers{&record};
  std::optional<TraceWriter> trace;
  if (outputs.trace().wanted()) observers.push_back(&trace.emplace(outputs.trace().stream(), session));
  std::optional<ProgressView> progress;
  if (!options.quiet) observers.push_back(&progress.emplace(stderr, record));
  std::exception_ptr failed;
  try {
    run(session, world, observers);
    if (sink) sink->close();
  } catch (...) {
    failed = std::current_exception();  // what happened until then is still worth a report
  }
  if (progress) progress->finish();
  const int status = report(outputs, options, record, options.session, labels_of(options), unknown_capacity());
  if (failed) std::rethrow_exception(failed);
  if (network.stopped()) return 130;
  if (status != 0) say(check_advice(redacted(url)));
  return status;
}

int replay_trace(const BenchOptions& options) {
  std::ifstream in{*options.replay};
  if (!in) throw std::runtime_error(fmt::format("cannot read {}", *options.replay));
  const SessionTrace trace = SessionTrace::read(in);
  Outputs outputs{options};
  Session session = recorded_session(trace);
  SessionRecord record{session.table()};
  std::vector<SessionObserver*> observers{&record};
  if (const auto difference = replay(trace, session, observers)) {
    throw std::runtime_error(fmt::format("{}: decided otherwise {}", *options.replay, *difference));
  }
  return report(outputs, options, record, trace.options, labels_of(options), unknown_capacity());
}

RunEnd run_command(int argc, char** argv) {
  try {
    const BenchOptions options = parse_command_line(argc, argv);
    if (options.batch) {
      run_batch(std::cin, std::cout, run_command);
      return {};
    }
    const bool only_forget = options.index.empty() && !options.replay;
    if (options.forget) forget_networks(only_forget ? stdout : stderr);
    if (only_forget) return {};
    if (options.replay) return {replay_trace(options)};
    if (options.scenario) return simulate(options);
    return {stream(options)};
  } catch (const CommandLineEnd& end) {
    return {end.exit_status};
  } catch (const std::exception& error) {
    print_text(stderr, "tributary-bench: {}\n", error.what());
    return {1};
  }
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) { return tributary::run_command(argc, argv).exit_status; }
