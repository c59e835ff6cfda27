#pragma once

namespace tributary::segmenter {

/// From now on, memory is zero when it is allocated. x264 (164) decides by memory that it has not written, so that an
/// encoder that is not the first of a process would give other bytes each time.
void zero_allocated_memory();

}  // namespace tributary::segmenter
