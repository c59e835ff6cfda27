// Init and media segments: the first two bytes say how long the init segment is.
#include "fuzz_target.hh"
#include "media/cmaf_reader.hh"
#include "media/iso_box.hh"

using namespace tributary;

namespace {

void check(const SegmentFacts& facts, std::size_t size) {
  for (const MediaSample& sample : facts.samples)
    fuzz::require(sample.begin <= size && sample.size <= size - sample.begin);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::span content{reinterpret_cast<const std::byte*>(data + 2), size - 2};
  const std::size_t border = std::min<std::size_t>(data[0] * 256u + data[1], content.size());
  InitFacts init;
  try {
    init = read_init(content.first(border));
  } catch (const BoxError&) {
    init.timescale = 1000;
    init.nal_length_size = 4;
  }
  const auto media = content.subspan(border);
  try {
    const SegmentFacts facts = read_segment(media, init);
    fuzz::require(!facts.samples.empty());
    check(facts, media.size());
    (void)facts.begin();
    (void)facts.ticks();
    (void)facts.longest_sample();
  } catch (const BoxError&) {
  }
  check(salvage_segment(media, init).facts, media.size());
  return 0;
}
