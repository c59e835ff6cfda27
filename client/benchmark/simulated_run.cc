#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "benchmark/run_report.hh"
#include "benchmark/runs.hh"
#include "benchmark/scenario_figures.hh"
#include "core/run.hh"
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
  const LocalPresentation title = read_local_presentation(options.index);
  const SegmentTable origin = table_of(title.exact, options);
  Session session{table_of(options.forget_sizes ? without_sizes(title.exact) : title.told, options), options.session};
  const FramesOfTracks frames = frames_of(title.exact, options);
  Outputs outputs{options};
  SimulatedWorld modelled{session.table(), links, options.seed, options.session.segments_at_start(), &origin, &frames};
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
  labels.possible = possible_on(links, record, options.session);
  labels.free_links = free_links_of(links, options, record);
  const int status = report(outputs, options, record, options.session, labels, capacity_of(links));
  return {status, record.now().time_since_epoch()};
}

}  // namespace tributary
