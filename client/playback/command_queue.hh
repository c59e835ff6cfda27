#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "playback/call_queue.hh"
#include "playback/command.hh"

namespace tributary {

/// Commands on their way from any thread to the stream's thread.
class CommandQueue : public CallQueue<Command> {
 public:
  /// Queues a seek and returns its generation. Seeks stand in the queue in the order of their generations.
  std::uint32_t push_seek(Duration position, std::optional<std::size_t> sound);

 private:
  std::uint32_t generation_ = 0;  // used under the lock of the queue
};

}  // namespace tributary
