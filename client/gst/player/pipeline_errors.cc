#include "gst/player/pipeline_errors.hh"

#include <fmt/format.h>

#include "gst/player/player_problems.hh"

namespace tributary {
namespace {

Consequence after_sound_failure(const std::string& detail, PlayerPipeline& pipeline, TitleState& state) {
  if (pipeline.sound()->silent())
    return {false, PlayerProblem{true, sentence("The sound cannot be timed."), {}, detail}};
  state.replaced();
  pipeline.set_playing(false);
  pipeline.sound()->replace_sink();
  return {true, PlayerProblem{false, sentence("The sound device failed; it plays on without sound."), sound_advice(),
                              detail}};
}

PlayerProblem undecodable(TrackKind part, const MessageText& said) {
  return {
      true,
      part == TrackKind::kVideo ? sentence("The picture cannot be decoded.") : sentence("The sound cannot be decoded."),
      sentence("The title may be damaged, or of another codec than it says."),
      fmt::format("{}\n{}", said.what.english(), said.detail)};
}

}  // namespace

Consequence after_error(GstMessage* error, PlayerPipeline& pipeline, TitleState& state,
                        const std::optional<StreamFailure>& of_stream) {
  GstObject* const from = GST_MESSAGE_SRC(error);
  if (!pipeline.has(from)) return {};  // it was replaced
  const MessageText said = text_of(error);
  if (pipeline.sound() && pipeline.sound()->is_sink(from)) return after_sound_failure(said.detail, pipeline, state);
  if (pipeline.is_source(from) && of_stream) return {false, problem_of(*of_stream)};
  if (pipeline.is_source(from) && state.source_ran_into_replaced()) return {true, std::nullopt};
  const auto part = pipeline.part_of(error);
  if (!part) return {false, PlayerProblem{true, said.what, {}, said.detail}};
  if (part != TrackKind::kVideo || !pipeline.decode_in_software()) return {false, undecodable(*part, said)};
  state.replaced();
  return {
      true,
      PlayerProblem{
          false, sentence("The graphics card cannot decode this picture; the processor does it."), {}, said.detail}};
}

Consequence after_warning(GstMessage* warning, PlayerPipeline& pipeline) {
  GstObject* const from = GST_MESSAGE_SRC(warning);
  const MessageText said = text_of(warning);
  if (pipeline.sound() && pipeline.sound()->is_sink(from))
    return {false, PlayerProblem{false, sentence("The sound cannot be heard."), sound_advice(), said.detail}};
  if (!pipeline.is_source(from)) return {};
  return {false, PlayerProblem{false, said.what, {}, said.detail}};
}

}  // namespace tributary
