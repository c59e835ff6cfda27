#include <fmt/format.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "benchmark/progress_view.hh"
#include "benchmark/run_report.hh"
#include "benchmark/runs.hh"
#include "benchmark/saved_film.hh"
#include "core/timeline/live_start.hh"
#include "memory/network_memory.hh"
#include "presentation/segments/partial_segments.hh"
#include "presentation/track_choice.hh"
#include "program/check_advice.hh"
#include "program/real_link_costs.hh"
#include "program/recording.hh"
#include "sink/file_sink.hh"
#include "system/stop_signal.hh"
#include "transport/connections/origin_addresses.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"
#include "worlds/found_presentation.hh"
#include "worlds/streaming_job.hh"

namespace tributary {
namespace {

void say(const std::string& text) { print_text(stderr, "tributary-bench: {}\n", text); }

bool grows(const Presentation& presentation) { return presentation.live && !presentation.complete; }

FoundPresentation find(const PresentationSearch& search) {
  try {
    return find_presentation(search);
  } catch (const UnreadableManifest& error) {
    throw std::runtime_error(fmt::format("{}: {}", redacted(error.url), error.what()));
  }
}

std::optional<std::size_t> find_sound(const FoundPresentation& found, const std::string& wanted) {
  if (wanted.empty()) return std::nullopt;
  try {
    return sound_of(found.presentation, wanted);
  } catch (const NotInTitle& error) {
    throw std::runtime_error(fmt::format("{}: {}", redacted(found.location.url()), error.what()));
  }
}

/// As many segments are there at once as the buffer holds: playout starts so far behind the live edge.
Presentation presentation_of(const FoundPresentation& found, const SessionOptions& options) {
  if (!grows(found.presentation)) return found.presentation;
  if (!is_live(options.mode))
    throw std::runtime_error(redacted(found.location.url()) + " is live: use --mode live-buffered or live-unbuffered");
  if (options.latency > Duration{}) {
    const SegmentTable table{found.presentation};
    return found.presentation.last_segments(table.segment_count() - to_index(live_start(table, options.latency)));
  }
  return found.presentation.last_segments(options.buffer_segments);
}

/// What has come until then is playable. The failure before is told, and no second one.
void close_after_a_failure(SavedFilm& film) {
  try {
    film.close();
  } catch (const std::runtime_error&) {
  }
}

}  // namespace

RunEnd stream(const BenchOptions& options) {
  RealLinkCosts costs{options.terms, options.rules.catalogue.get(), say};
  PresentationSearch search{options.index, options.links, options.rules};
  search.use = [&](const std::string& link) { return costs.use_of(link); };
  search.resolve = [&, first = true](const transport::Origin& origin) mutable {
    std::vector<std::string> addresses = transport::resolve(origin, options.rules);
    if (std::exchange(first, false)) {
      expect_links(options.expected, addresses);
      if (const std::string left_out = beside_vpn(options.links, addresses); !left_out.empty() && !options.quiet)
        say(left_out);
    }
    return addresses;
  };
  search.by_parts = options.session.latency > Duration{};
  if (!options.quiet) search.tell = say;
  transport::CurlLoop loop;
  search.session.emplace(SessionToCome{loop, options.rules});
  const FoundPresentation found = find(search);
  if (!options.quiet) {
    for (const std::string& left_out : found.left_out) say("left out: " + left_out);
  }
  costs.lead_to(found.addresses);
  const std::string url = found.location.url();
  SessionOptions session_options = options.session;
  Presentation presentation = presentation_of(found, session_options);
  if (options.part && !grows(presentation)) presentation = in_partial_segments(presentation, *options.part);
  if (session_options.latency > Duration{}) follow_live_edge(session_options, presentation.last_duration());
  SegmentTable table{presentation, options.segments};
  if (const auto sound = find_sound(found, options.audio)) table.choose_sound(*sound);
  Session session{std::move(table), session_options};
  Outputs outputs{options};
  std::optional<FileSink> raw;
  std::optional<SavedFilm> film;
  if (options.save_raw) raw.emplace(*options.save_raw);
  if (options.save_film) film.emplace(*options.save_film, session.table());

  Recording recording{session, outputs.trace()};
  std::optional<ProgressView> progress;
  if (!options.quiet) recording.show(progress.emplace(stderr, recording.record()));
  const auto memory = link_memory(found.addresses, say);
  StreamingJob job{{.links = options.links,
                    .rules = options.rules,
                    .terms = [&](const std::string& link) { return costs.terms_of(link); },
                    .budget = &costs.budget(),
                    .memory = memory.get()},
                   found.addresses,
                   &loop};
  if (grows(presentation))
    job.follow(found, presentation,
               {.give_up_after = options.session.give_up_after,
                .ended_after = options.session.give_up_after,
                .tell = [&](TimePoint at, const std::string& note) {
                  if (progress) progress->say(at, note);
                }});
  const int stop_fd = stop_signal_fd();
  std::exception_ptr failed;
  try {
    job.run(session, {.connections = connections_to(found, loop, options.rules),
                      .network = {.live_replay = is_live(session_options.mode) && !grows(presentation),
                                  .stop_fd = stop_fd,
                                  .sink = film  ? &*film
                                          : raw ? static_cast<SegmentSink*>(&*raw)
                                                : nullptr},
                      .observers = recording.observers()});
    if (raw) raw->close();
    if (film) film->close();
  } catch (...) {
    failed = std::current_exception();  // what happened until then is still worth a report
    if (film) close_after_a_failure(*film);
  }
  if (progress) progress->finish();
  const int status =
      report(outputs, options, recording.record(), session_options, labels_of(options), unknown_capacity());
  if (failed) std::rethrow_exception(failed);
  if (job.stopped()) return {130};
  if (status != 0) say(check_advice(redacted(url)));
  return {status};
}

}  // namespace tributary
