#pragma once

namespace tributary::play {

/// Makes GTK paint with cairo if there is no graphics card: OpenGL on the processor is slower. To be called before the
/// first window. Leaves the user's own choice (GSK_RENDERER) as it is.
void choose_renderer();

}  // namespace tributary::play
