#pragma once

#include <gst/gst.h>

namespace tributary {

class SourceBody;

/// The element: a source with a pad for the picture and one for the sound (video_0, audio_0), for URIs such as
/// multilink+http://host/film/index.json. Asks for buffering as GStreamer's own sources do, by BUFFERING messages.
GType multilink_source_type();

/// What moves the element; it lives as long as the element does.
SourceBody& source_body(GstElement* multilink_source);

/// For all of this process: elements by name, and by URI.
bool register_multilink_source(GstPlugin* plugin);

}  // namespace tributary
