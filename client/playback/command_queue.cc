#include "playback/command_queue.hh"

namespace tributary {

std::uint32_t CommandQueue::push_seek(Duration position, std::optional<std::size_t> sound) {
  std::uint32_t generation = 0;
  push_made([&] {
    generation = ++generation_;
    return command::Seek{generation, position, sound};
  });
  return generation;
}

}  // namespace tributary
