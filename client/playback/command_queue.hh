#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "playback/command.hh"
#include "transport/connections/event_fd.hh"

namespace tributary {

/// Commands on their way from any thread to the one of the stream, which is never waited for.
class CommandQueue {
 public:
  void push(Command command);
  /// Numbers the seek: that which is numbered last is last in the queue, too. Returns its generation.
  std::uint32_t push_seek(Duration position, std::optional<std::size_t> sound);

  /// Readable when there are commands.
  int file_descriptor() const { return filled_.get(); }
  /// All that there are, oldest first.
  std::vector<Command> take();

 private:
  std::mutex mutex_;
  std::vector<Command> commands_;
  std::uint32_t generation_ = 0;
  transport::EventFd filled_;
};

}  // namespace tributary
