#pragma once

#include <optional>

#include "units/data_size.hh"
#include "worlds/found_presentation.hh"

namespace tributary {

/// What counts before a file is asked for in ranges.
struct FileLook {
  std::optional<DataSize> size = {};  // nothing: its origin knows no ranges, or nobody knows where the file ends
  bool refuses_large_ranges = false;  // its origin does
};

/// Looks at the file at the address of the search, over the first link that can. If the answer does not tell the size,
/// further questions find it. Throws transport::UrlError, or NoLinkWorked.
FileLook look_at_file(const PresentationSearch& search);

}  // namespace tributary
