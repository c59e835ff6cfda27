#pragma once

#include <gst/gst.h>

#include <memory>

#include "system/glib_handles.hh"

namespace tributary {

/// Deleter of GstHandle: gives up one reference to an object of GStreamer.
struct Unreference {
  void operator()(GstSample* sample) const { gst_sample_unref(sample); }  // a mini object, but an opaque type
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

}  // namespace tributary
