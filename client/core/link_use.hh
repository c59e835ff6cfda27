#pragma once

namespace tributary {

/// What the user wants of a link.
enum class LinkUse {
  kUse,
  kWhenNeeded,  // only when the others cannot keep playout going
  kDoNotUse,
};

}  // namespace tributary
