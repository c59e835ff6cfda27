#pragma once

#include <string>
#include <vector>

#include "gst/gst_handles.hh"

namespace tributary {

/// Links the elements one behind the other in a bin, and exposes the sink pad of the first. The bin owns the elements.
/// Throws std::runtime_error if two of them cannot be linked.
GstHandle<GstElement> chain_bin(const std::string& name, const std::vector<GstElement*>& elements);

/// Ends an element of the chain, and puts another in its place. The pipeline must be PAUSED, and a seek must follow.
void replace(GstElement* element, GstElement* with);

}  // namespace tributary
