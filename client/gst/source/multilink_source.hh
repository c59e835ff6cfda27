#pragma once

#include <gst/gst.h>

namespace tributary {

class SourceBody;

/// A source element for URIs such as multilink+http://host/film/manifest.mpd, with pads video_0 and audio_0. It asks for
/// buffering as GStreamer's own sources do, by BUFFERING messages.
GType multilink_source_type();

/// The working part of the element. The element owns it.
SourceBody& source_body(GstElement* multilink_source);

/// Registers the element in this process, by name and by URI.
bool register_multilink_source(GstPlugin* plugin);

}  // namespace tributary
