#include "media/segment_index.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "box_bytes.hh"

namespace tributary {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

struct Reference {
  std::uint32_t size = 1, duration = 1;
  bool further_index = false;
};

std::string sidx(int version, std::uint64_t time, std::uint64_t offset, const std::vector<Reference>& references,
                 std::uint32_t timescale = 90'000) {
  const int width = version == 0 ? 4 : 8;
  std::string body = big_endian(static_cast<std::uint64_t>(version), 1) + big_endian(0, 3) + big_endian(1, 4) +
                     big_endian(timescale, 4) + big_endian(time, width) + big_endian(offset, width) + big_endian(0, 2) +
                     big_endian(references.size(), 2);
  for (const Reference& each : references) {
    body += big_endian((each.further_index ? 0x8000'0000u : 0) | each.size, 4) + big_endian(each.duration, 4) +
            big_endian(0x9000'0000u, 4);
  }
  return box("sidx", body);
}

IndexBox index_of(const std::string& bytes, std::int64_t begin = 0) {
  return read_segment_index(bytes_of(bytes), DataSize{begin});
}

ByteRange bytes(std::int64_t begin, std::int64_t end) { return {DataSize{begin}, DataSize{end}}; }

TEST(IndexBox, ReferencesFollowEachOther) {
  for (const int version : {0, 1}) {
    const std::string text = sidx(version, 9'000, 0, {{500, 180'000}, {300, 90'000}});
    const auto end = static_cast<std::int64_t>(1'000 + text.size());
    const IndexBox index = index_of(text, 1'000);
    EXPECT_EQ(index.timescale, 90'000u);
    EXPECT_THAT(index.references,
                ElementsAre(IndexReference{bytes(end, end + 500), 9'000, 180'000, false, true},
                            IndexReference{bytes(end + 500, end + 800), 189'000, 90'000, false, true}));
  }
}

TEST(IndexBox, OtherBoxesMayStandBeforeAndAnythingBehind) {
  const std::string before = box("styp", "msdh") + box("free", "");
  const std::string text = before + sidx(0, 0, 100, {{5, 1}});
  const auto end = static_cast<std::int64_t>(text.size()) + 100;
  for (const std::string behind : {"", "x", "\1\2\3\4\5\6\7\10\11"}) {
    EXPECT_EQ(index_of(text + behind).references.at(0).range, bytes(end, end + 5));
  }
}

TEST(IndexBox, AReferenceToAFurtherIndexIsToldAsSuch) {
  const IndexBox index = index_of(sidx(1, 0, 0, {{5, 1, true}, {5, 1, false}}));
  EXPECT_TRUE(index.references[0].further_index);
  EXPECT_EQ(index.references[0].range.size(), DataSize{5});
  EXPECT_FALSE(index.references[1].further_index);
}

TEST(IndexBox, AsManyReferencesAsTheBoxCanCount) {
  EXPECT_THAT(index_of(sidx(0, 0, 0, std::vector<Reference>(65'535))).references, SizeIs(65'535));
  EXPECT_THAT(index_of(sidx(0, 0, 0, {})).references, SizeIs(0));
}

TEST(IndexBox, LargeTimesAndOffsets) {
  const std::string text = sidx(1, std::uint64_t{1} << 62, std::uint64_t{1} << 40, {{0x7fff'ffff, 0xffff'ffff}});
  const IndexReference only = index_of(text).references.at(0);
  EXPECT_EQ(only.start, std::int64_t{1} << 62);
  EXPECT_EQ(only.duration, 0xffff'ffff);
  EXPECT_EQ(only.range.size(), DataSize{0x7fff'ffff});
}

TEST(IndexBox, DamageIsRefusedWithItsPlace) {
  const auto refused = [](const std::string& text) { return refusal([&] { index_of(text, 1'000); }); };
  EXPECT_EQ(refused(""), "no sidx within the 0 bytes from byte 1000 on");
  EXPECT_EQ(refused(box("styp", "")), "no sidx within the 8 bytes from byte 1000 on");
  EXPECT_EQ(refused(big_endian(1'000'000, 4) + "mdat"), "no sidx within the 8 bytes from byte 1000 on");
  EXPECT_EQ(refused(box("styp", "") + sidx(0, 0, 0, {{5, 1}}, 0)), "sidx at byte 1008 has a timescale of 0");
  EXPECT_EQ(refused(sidx(0, 0, 0, {{5, 1}, {0, 1}})), "sidx at byte 1000: reference 1 has no bytes");
  EXPECT_EQ(refused(sidx(1, ~std::uint64_t{0}, 0, {})),
            "sidx at byte 1000: its time 18446744073709551615 is beyond all bounds");
  EXPECT_EQ(refused(sidx(1, 0, ~std::uint64_t{0}, {})),
            "sidx at byte 1000: its offset 18446744073709551615 is beyond all bounds");
  EXPECT_EQ(refused(box("sidx", std::string(4, '\0'))), "sidx at byte 1000 ends too early");
}

TEST(IndexBox, EachShorterTextIsRefused) {
  const std::string whole = box("styp", "msdh") + sidx(1, 0, 0, {{5, 1}, {6, 1}});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW((void)index_of(whole.substr(0, size)), BoxError) << size;
  }
}

}  // namespace
}  // namespace tributary
