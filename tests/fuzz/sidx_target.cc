// Indexes of segments: what is read lies behind the box, without a gap and without an overflow.
#include "fuzz_target.hh"
#include "media/segment_index.hh"

using namespace tributary;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span content{reinterpret_cast<const std::byte*>(data), size};
  for (const DataSize begin : {DataSize{}, DataSize{std::int64_t{1} << 40}}) {
    try {
      const IndexBox index = read_segment_index(content, begin);
      fuzz::require(index.timescale > 0 && index.references.size() <= size / 12);
      const IndexReference* before = nullptr;
      for (const IndexReference& each : index.references) {
        fuzz::require(!each.range.empty() && each.range.begin > begin && each.start >= 0 && each.duration >= 0);
        fuzz::require(before == nullptr ||
                      (before->range.end == each.range.begin && before->start + before->duration == each.start));
        before = &each;
      }
    } catch (const BoxError&) {
    }
  }
  return 0;
}
