#include "player/picture/renderer.hh"

#include <epoxy/gl.h>
#include <gtk/gtk.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "player/glib/g_handles.hh"

namespace tributary::play {
namespace {

constexpr const char* kVariable = "GSK_RENDERER";

/// Mesa's names of renderers without a graphics card.
bool is_software(std::string_view renderer) {
  constexpr std::array<std::string_view, 4> names{"llvmpipe", "softpipe", "swrast", "SWR"};
  return std::ranges::any_of(names, [&](std::string_view name) { return renderer.find(name) != renderer.npos; });
}

}  // namespace

void choose_renderer() {
  GdkDisplay* const display = gdk_display_get_default();
  if (display == nullptr || g_getenv(kVariable) != nullptr) return;
  const auto context = Ref<GdkGLContext>::take(gdk_display_create_gl_context(display, nullptr));
  if (!context || gdk_gl_context_realize(context.get(), nullptr) == FALSE) return;  // without OpenGL, GTK paints anyway
  gdk_gl_context_make_current(context.get());
  const auto* const name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  if (name != nullptr && is_software(name)) g_setenv(kVariable, "cairo", TRUE);
  gdk_gl_context_clear_current();
}

}  // namespace tributary::play
