#include "playback/command_queue.hh"

#include <utility>

namespace tributary {

void CommandQueue::push(Command command) {
  const std::lock_guard lock{mutex_};
  commands_.push_back(std::move(command));
  filled_.signal();
}

std::uint32_t CommandQueue::push_seek(Duration position, std::optional<std::size_t> sound) {
  const std::lock_guard lock{mutex_};
  commands_.push_back(command::Seek{++generation_, position, sound});
  filled_.signal();
  return generation_;
}

std::vector<Command> CommandQueue::take() {
  const std::lock_guard lock{mutex_};
  filled_.clear();
  return std::exchange(commands_, {});
}

}  // namespace tributary
