#include "core/subsegments/static_subsegments.hh"

#include <algorithm>

namespace tributary {

DataSize StaticSubsegments::next_size(DataSize left, LinkId /*link*/, std::span<const LinkEstimate> /*links*/) {
  return std::min(size_, left);
}

}  // namespace tributary
