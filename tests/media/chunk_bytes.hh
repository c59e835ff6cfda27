#pragma once

#include "box_bytes.hh"

namespace tributary {

struct WrittenSample {
  std::uint32_t duration, flags, offset;
  std::string data;
};

/// A CMAF chunk: a moof with one run, and its mdat.
inline std::string chunk_of(std::uint64_t decode_time, const std::vector<WrittenSample>& samples) {
  const std::size_t run_bytes = 20 + 16 * samples.size();
  const std::size_t moof_bytes = 8 + 8 + 16 + 20 + run_bytes;
  std::string run = big_endian(0x1000f01, 4) + big_endian(samples.size(), 4) + big_endian(moof_bytes + 8, 4);
  std::string data;
  for (const WrittenSample& sample : samples) {
    run += big_endian(sample.duration, 4) + big_endian(sample.data.size(), 4) + big_endian(sample.flags, 4) +
           big_endian(sample.offset, 4);
    data += sample.data;
  }
  const std::string traf = box("tfhd", big_endian(0x20000, 4) + big_endian(1, 4)) +
                           box("tfdt", big_endian(0x1000000, 4) + big_endian(decode_time, 8)) + box("trun", run);
  return box("moof", box("traf", traf)) + box("mdat", data);
}

}  // namespace tributary
