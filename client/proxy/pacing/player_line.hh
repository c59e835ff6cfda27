#pragma once

#include <cstdint>
#include <vector>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// The answers that one player gets side by side. Over one link as fast as all links together, a large answer would stand in the
/// queue behind smaller ones that the player asked for at the same time. It does so here, too. Otherwise an answer that was
/// fetched ahead would leave at the rate of all links while they bring another one, and the answer after it would be late: the
/// player would measure more and less than there is by turns.
class PlayerLine {
 public:
  using Number = std::uint64_t;

  /// An answer of about this size was asked for, which takes so long at its pace. Returns its number.
  Number asked(DataSize size, Duration takes, TimePoint now);
  /// When this answer, which has this size, may begin: when smaller ones could have ended that were asked for before, or at the
  /// same time.
  TimePoint free_at(Number number, DataSize size, TimePoint asked) const;

 private:
  struct Answer {
    Number number;
    DataSize size;
    TimePoint asked, could_end;
  };
  std::vector<Answer> answers_;  // some could have ended
  Number last_ = 0;
};

}  // namespace tributary::proxy
