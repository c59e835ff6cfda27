#include "core/links/link_need.hh"

#include <fmt/format.h>

namespace tributary {

LinkNeed::Decision LinkNeed::decide(const Situation& now) {
  if (!now.others) return {true, "there is no other link"};
  if (!now.wanted || now.buffered >= now.buffer) since_the_buffer_was_low_ = false;
  const std::string buffered =
      fmt::format("{:.1f} of {:.1f} s are buffered", to_seconds(now.buffered), to_seconds(now.buffer));
  if (since_the_buffer_was_low_) return {true, buffered + ", and the other links could not keep up"};
  const bool low = now.wanted && 2 * now.buffered < now.buffer;
  if (!low || !now.rate || *now.rate >= now.lowest) return {false, "the other links keep up"};
  since_the_buffer_was_low_ = true;
  return {true,
          fmt::format("{}, and the other links bring {:.0f} kbit/s of the {:.0f} kbit/s that the lowest quality takes",
                      buffered, now.rate->kilobits_per_second(), now.lowest.kilobits_per_second())};
}

}  // namespace tributary
