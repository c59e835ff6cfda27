#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "playback/command.hh"
#include "transport/connections/event_fd.hh"

namespace tributary {

/// Commands on their way from any thread to the stream's thread. No call waits for that thread.
class CommandQueue {
 public:
  void push(Command command);
  /// Queues a seek and returns its generation. Seeks stand in the queue in the order of their generations.
  std::uint32_t push_seek(Duration position, std::optional<std::size_t> sound);

  /// Readable when there are commands.
  int file_descriptor() const { return filled_.get(); }
  /// Takes all commands, oldest first.
  std::vector<Command> take();

 private:
  std::mutex mutex_;
  std::vector<Command> commands_;
  std::uint32_t generation_ = 0;
  transport::EventFd filled_;
};

}  // namespace tributary
