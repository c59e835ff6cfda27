#include "bonding/probing/path_liveness.hh"

#include <algorithm>
#include <utility>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLongestGap = 2s;

}  // namespace

bool PathLiveness::heard(TimePoint now) {
  answer_by_.reset();
  asked_again_ = false;
  next_question_ = now + keep_alive_;
  gap_ = kFirstGap;
  return std::exchange(state_, State::kAlive) != State::kAlive;
}

void PathLiveness::asked(Duration time_out, TimePoint now) {
  if (state_ != State::kAlive || answer_by_) return;
  time_out_ = time_out;
  answer_by_ = now + time_out;
}

bool PathLiveness::link_is_down(TimePoint now) {
  answer_by_.reset();
  next_question_ = now + kLongestGap;
  return std::exchange(state_, State::kSilent) == State::kAlive;
}

TimePoint PathLiveness::next_deadline() const {
  return answer_by_ ? std::min(*answer_by_, next_question_) : next_question_;
}

PathLiveness::Due PathLiveness::wake(TimePoint now) {
  if (answer_by_ && *answer_by_ <= now) return answer_is_late(now);
  if (now < next_question_) return {};
  if (state_ == State::kAlive) {
    next_question_ = now + keep_alive_;
  } else {
    next_question_ = now + gap_;
    gap_ = std::min(2 * gap_, kLongestGap);
  }
  return {.question = true};
}

PathLiveness::Due PathLiveness::answer_is_late(TimePoint now) {
  if (!std::exchange(asked_again_, true)) {
    answer_by_ = now + time_out_;
    return {.question = true};
  }
  state_ = State::kSilent;
  answer_by_.reset();
  asked_again_ = false;
  next_question_ = now + kFirstGap;
  gap_ = 2 * kFirstGap;
  return {.fell_silent = true, .question = true};
}

}  // namespace tributary::bonding
