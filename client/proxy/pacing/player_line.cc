#include "proxy/pacing/player_line.hh"

#include <algorithm>
#include <chrono>

namespace tributary::proxy {
namespace {

constexpr Duration kSameTime = std::chrono::milliseconds{10};

}  // namespace

PlayerLine::Number PlayerLine::asked(DataSize size, Duration takes, TimePoint now) {
  std::erase_if(answers_, [&](const Answer& answer) { return answer.could_end <= now; });
  answers_.push_back({++last_, size, now, now + takes});
  return last_;
}

TimePoint PlayerLine::free_at(Number number, DataSize size, TimePoint asked) const {
  TimePoint free = asked + kSameTime;
  for (const Answer& answer : answers_) {
    if (answer.number != number && answer.size < size && answer.asked <= asked + kSameTime)
      free = std::max(free, answer.could_end);
  }
  return free;
}

}  // namespace tributary::proxy
