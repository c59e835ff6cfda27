#pragma once

#include <string>

#include "gst/gst_handles.hh"
#include "media/cmaf_reader.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// What GStreamer calls the samples that follow this init segment. Throws BoxError for a codec that has no name there.
GstHandle<GstCaps> caps_of(const InitFacts& init, const Track& track);

/// The same before anything but the index is known: enough to look for a decoder. Null if the codec has no name there.
GstHandle<GstCaps> caps_of_codec(const std::string& codec);

}  // namespace tributary
