#pragma once

namespace tributary {

enum class PlayerState { kClosed, kOpening, kPaused, kPlaying, kBuffering, kEnded, kFailed };

}  // namespace tributary
