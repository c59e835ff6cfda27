#pragma once

#include <gst/gst.h>

namespace tributary {

/// The type of an index.json of ours. GStreamer itself knows those of HLS and MPEG-DASH.
inline constexpr const char* kIndexType = "application/x-tributary-index";

/// Registers the search for that type: applications then know an index by its first bytes.
bool register_index_type(GstPlugin* plugin);

}  // namespace tributary
