#pragma once

#include <atomic>
#include <string>

#include "segmenter/plan/key_frame_cuts.hh"

namespace tributary::segmenter {

/// Where the picture of a file can be cut: at key frames that no picture behind them in the file is shown before, and none
/// before them behind. Reads the whole file. Throws Failure if it cannot be packed, or if it is interrupted.
KeyFrames key_frames_of(const std::string& path, const std::atomic<bool>& interrupted);

}  // namespace tributary::segmenter
