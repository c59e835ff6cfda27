#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "benchmark/run_report.hh"
#include "benchmark/runs.hh"
#include "benchmark/scenario_figures.hh"
#include "core/run.hh"
#include "presentation/segments/partial_segments.hh"
#include "presentation/segments/size_estimates.hh"
#include "presentation/track_choice.hh"
#include "program/local_presentation.hh"
#include "program/recording.hh"
#include "worlds/costed_world.hh"
#include "worlds/simulated_world.hh"

namespace tributary {
namespace {

SegmentTable table_of(const Presentation& presentation, const BenchOptions& options) {
  SegmentTable table{presentation, options.segments};
  if (options.audio.empty()) return table;
  try {
    table.choose_sound(sound_of(presentation, options.audio));
  } catch (const NotInTitle& error) {
    throw std::runtime_error(fmt::format("{}: {}", options.index, error.what()));
  }
  return table;
}

LocalPresentation title_of(const BenchOptions& options) {
  LocalPresentation title = read_local_presentation(options.index);
  if (options.part) {
    title.told = in_partial_segments(title.told, *options.part);
    title.exact = in_partial_segments(title.exact, *options.part);
  }
  return title;
}

/// Only a session that may play segments in part is told of frames.
FramesOfTracks frames_of(const Presentation& presentation, const BenchOptions& options) {
  if (options.session.partial == PartialSegments::kWait) return {};
  FramesOfTracks frames = read_local_frames(options.index, presentation);
  if (frames.empty()) {
    throw std::runtime_error(fmt::format(
        "{}: --partial play needs to know where frames are (tributary-segment --frame-index)", options.index));
  }
  return frames;
}

}  // namespace

RunEnd simulate(const BenchOptions& options) {
  const std::vector<LinkScenario> links = chosen_links(options);
  const LocalPresentation title = title_of(options);
  const SegmentTable origin = table_of(title.exact, options);
  SessionOptions session_options = options.session;
  if (session_options.latency > Duration{}) follow_live_edge(session_options, origin.duration(SegmentIndex{}));
  Session session{table_of(options.forget_sizes ? without_sizes(title.exact) : title.told, options), session_options};
  const FramesOfTracks frames = frames_of(title.exact, options);
  Outputs outputs{options};
  SimulatedWorld modelled{session.table(), links, options.seed, session_options.segments_at_start(), &origin, &frames};
  std::optional<CostedWorld> costed;
  if (!options.terms.empty())
    costed.emplace(modelled, session.outstanding(), CostedWorld::Options{.terms = terms_from(options.terms)});
  World& world = costed ? static_cast<World&>(*costed) : modelled;
  const Recording recording{session, outputs.trace()};
  run(session, world, recording.observers());

  const SessionRecord& record = recording.record();
  RunLabels labels = labels_of(options);
  labels.scenario = *options.scenario;
  labels.capacity_bits = capacity_until(links, record.now());
  labels.possible = possible_on(links, record, session_options);
  labels.free_links = free_links_of(links, options, record);
  const int status = report(outputs, options, record, session_options, labels, capacity_of(links));
  return {status, record.now().time_since_epoch()};
}

}  // namespace tributary
