#include "segmenter/encode/encode_progress.hh"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tributary::segmenter {
namespace {

double bits(DataSize size) { return 8.0 * static_cast<double>(size.bytes()); }

}  // namespace

nlohmann::ordered_json segment_event(const WrittenSegment& segment) {
  return {{"event", "segment"},         {"track", segment.track},
          {"number", segment.number},   {"bytes", segment.size.bytes()},
          {"seconds", segment.seconds}, {"rate", std::llround(bits(segment.size) / segment.seconds)}};
}

void EncodeProgress::begin_pass(std::string_view pass) {
  pass_ = pass;
  began_ = std::chrono::steady_clock::now();
}

void EncodeProgress::pictures_done(std::uint64_t count) {
  const std::lock_guard lock{mutex_};
  pictures_ += count;
  report_.update(state());
}

void EncodeProgress::stands_at(std::uint64_t segment, std::uint64_t left_out) {
  const std::lock_guard lock{mutex_};
  segment_ = segment;
  left_out_ = left_out;
}

void EncodeProgress::segment_written(const WrittenSegment& segment) {
  const std::lock_guard lock{mutex_};
  Sum& sum = sums_[segment.track];
  sum.bits += bits(segment.size);
  sum.seconds += segment.seconds;
  report_.event(segment_event(segment));
}

void EncodeProgress::end() {
  const std::lock_guard lock{mutex_};
  report_.last(state());
}

ProgressState EncodeProgress::state() const {
  ProgressState state{pictures_,
                      from_seconds(plan_.seconds(pictures_)),
                      expected_,
                      segment_.value_or(plan_.segments(pictures_)),
                      std::chrono::steady_clock::now() - began_,
                      left_out_,
                      {},
                      pass_};
  for (const auto& [name, sum] : sums_) {
    if (sum.seconds > 0) state.rates.emplace_back(name, DataRate::bits_per_second(sum.bits / sum.seconds));
  }
  return state;
}

}  // namespace tributary::segmenter
