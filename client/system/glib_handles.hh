#pragma once

#include <glib.h>

#include <memory>

namespace tributary {

/// Frees an object that a function of GLib has handed over ("transfer full").
struct FreeWithGlib {
  void operator()(void* memory) const { g_free(memory); }
  void operator()(GError* error) const { g_error_free(error); }
  void operator()(GVariant* variant) const { g_variant_unref(variant); }
};
using GlibString = std::unique_ptr<char, FreeWithGlib>;
using GlibError = std::unique_ptr<GError, FreeWithGlib>;
using GlibVariant = std::unique_ptr<GVariant, FreeWithGlib>;

}  // namespace tributary
