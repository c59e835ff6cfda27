#pragma once

#include <string>

#include "gst/gst_handles.hh"
#include "media/cmaf_reader.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// What the samples that follow this init segment are.
TrackKind kind_of(const InitFacts& init);

/// GStreamer's capabilities for the samples that follow this init segment. Throws BoxError if GStreamer has no name for
/// the codec.
GstHandle<GstCaps> caps_of(const InitFacts& init, const Track& track);

/// Whether the decoder of the one can decode the other.
bool have_same_codec(const GstCaps& one, const GstCaps& other);

/// Capabilities from the index alone, to look for a decoder before media arrive. Null if GStreamer has no name for the
/// codec.
GstHandle<GstCaps> caps_of_codec(const std::string& codec);

}  // namespace tributary
