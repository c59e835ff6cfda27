#pragma once

namespace tributary {

/// How the user wants a link to be used.
enum class LinkUse {
  kUse,
  kWhenNeeded,  // only when the others cannot keep playout going
  kDoNotUse,
};

}  // namespace tributary
