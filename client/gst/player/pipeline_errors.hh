#pragma once

#include <optional>

#include "gst/player/player_pipeline.hh"
#include "gst/player/title_state.hh"

namespace tributary {

/// What follows from an error or a warning: nothing, or one of these, or both.
struct Consequence {
  bool restarts = false;  // the title must go on from where it was
  std::optional<PlayerProblem> problem;
};

/// Puts another element in the place of the one that failed, where there is one. `of_stream`: its failure, if it failed.
Consequence after_error(GstMessage* error, PlayerPipeline& pipeline, TitleState& state,
                        const std::optional<StreamFailure>& of_stream);
Consequence after_warning(GstMessage* warning, PlayerPipeline& pipeline);

}  // namespace tributary
