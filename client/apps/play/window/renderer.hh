#pragma once

namespace tributary::play {

/// Without a graphics card, OpenGL is the work of the processor, and slower than painting: then GTK is told to paint. Before
/// the first window; what the user has chosen (GSK_RENDERER) stays.
void choose_renderer();

}  // namespace tributary::play
