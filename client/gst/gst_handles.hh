#pragma once

#include <gst/gst.h>

#include <memory>

namespace tributary {

/// A reference to an object of GStreamer, given up at the end.
struct Unreference {
  void operator()(GstSample* sample) const { gst_sample_unref(sample); }  // a mini object, and opaque
  void operator()(GstMiniObject* object) const { gst_mini_object_unref(object); }
  template <typename Object>
  void operator()(Object* object) const {
    if constexpr (requires { object->mini_object; }) {
      gst_mini_object_unref(GST_MINI_OBJECT_CAST(object));
    } else {
      gst_object_unref(object);
    }
  }
};
template <typename Object>
using GstHandle = std::unique_ptr<Object, Unreference>;

struct FreeWithGlib {
  void operator()(void* memory) const { g_free(memory); }
  void operator()(GError* error) const { g_error_free(error); }
};
using GlibString = std::unique_ptr<char, FreeWithGlib>;
using GlibError = std::unique_ptr<GError, FreeWithGlib>;

}  // namespace tributary
