#pragma once

#include <string>
#include <vector>

#include "gst/gst_handles.hh"

namespace tributary {

/// A bin with elements one behind the other; the sink pad of the first is its own. Takes the elements. Throws
/// std::runtime_error if two do not fit.
GstHandle<GstElement> chain_bin(const std::string& name, const std::vector<GstElement*>& elements);

}  // namespace tributary
