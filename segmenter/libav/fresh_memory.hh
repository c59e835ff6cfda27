#pragma once

namespace tributary::segmenter {

/// From now on, aligned memory is zero when it is allocated, and large blocks of it stand in huge pages where the system
/// has some. x264 (164) decides by memory that it has not written, so that an encoder that is not the first of a process
/// would give other bytes each time.
void zero_allocated_memory();

}  // namespace tributary::segmenter
