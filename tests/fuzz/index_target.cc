// index.json: what is accepted can be streamed, and written so that it is read as the same.
#include <stdexcept>

#include "fuzz_target.hh"
#include "presentation/json/json_index.hh"
#include "presentation/segments/segment_table.hh"

using namespace tributary;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Presentation read = read_index(fuzz::text(data, size));
    const std::string written = write_index(read, "", "");
    fuzz::require(write_index(read_index(written), "", "") == written);
    const SegmentTable table{read};
    for (std::size_t s = 0; s < table.segment_count() && s < 50; ++s) {
      const auto segment = static_cast<SegmentIndex>(s);
      fuzz::require(table.duration(segment) > Duration::zero());
      for (std::size_t q = 0; q < table.quality_count(); ++q) {
        const auto quality = static_cast<QualityIndex>(q);
        DataSize sum;
        for (const SegmentPart& part : table.parts(segment, quality)) sum += part.size();
        fuzz::require(sum == table.size(segment, quality) && sum > DataSize{});
        (void)table.init_parts(segment, quality);
      }
    }
  } catch (const JsonError&) {
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
