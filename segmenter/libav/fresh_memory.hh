#pragma once

namespace tributary::segmenter {

/// Makes aligned memory zero when it is allocated, from now on. Large blocks use huge pages if the system has some.
/// Reason: x264 (164) decides by memory that it has not written, so all encoders but the first of a process would give
/// other bytes each time.
void zero_allocated_memory();

}  // namespace tributary::segmenter
