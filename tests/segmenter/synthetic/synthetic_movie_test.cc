#include "segmenter/synthetic/synthetic_movie.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "presentation/json/json_error.hh"
#include "segmenter/synthetic/synthetic_content.hh"

namespace tributary::segmenter {
namespace {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::StartsWith;

double correlation(const std::vector<DataSize>& a, const std::vector<DataSize>& b) {
  const auto mean = [](const std::vector<DataSize>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 0_B) / 1_B / static_cast<double>(sizes.size());
  };
  double covariance = 0, variance_a = 0, variance_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i] / 1_B - mean(a), y = b[i] / 1_B - mean(b);
    covariance += x * y;
    variance_a += x * x;
    variance_b += y * y;
  }
  return covariance / std::sqrt(variance_a * variance_b);
}

/// Thesis Table 4.1 in kbit/s; 2 s of 1 kbit/s are 250 bytes.
struct Row {
  const char* name;
  int minimum, average, maximum;
};
constexpr Row kTable[] = {
    {"low", 524, 746, 1057}, {"medium", 866, 1300, 1923}, {"high", 1491, 2142, 3293}, {"super", 2212, 3010, 4884}};

TEST(ThesisMovie, HasTheRatesOfTheTableWithEverySeedAndLength) {
  for (const std::size_t segments : {10u, 37u, 100u, 1000u}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const SyntheticMovie movie = thesis_movie(seed, segments);
      ASSERT_EQ(movie.qualities.size(), 4u);
      for (std::size_t q = 0; q < 4; ++q) {
        const auto& sizes = movie.qualities[q].sizes;
        ASSERT_EQ(sizes.size(), segments);
        EXPECT_EQ(movie.qualities[q].name, kTable[q].name);
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        EXPECT_EQ(*least, kTable[q].minimum * 250_B) << "seed " << seed;
        EXPECT_EQ(*most, kTable[q].maximum * 250_B) << "seed " << seed;
        EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0_B),
                  static_cast<std::int64_t>(segments) * kTable[q].average * 250_B)
            << "seed " << seed;
        EXPECT_NE(sizes[0], *least) << "seed " << seed;
        EXPECT_NE(sizes[0], *most) << "seed " << seed;
      }
    }
  }
}

TEST(ThesisMovie, QualitiesRiseAndFallTogetherAndKeepTheirOrder) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const SyntheticMovie movie = thesis_movie(seed, kThesisSegments);
    for (std::size_t q = 1; q < movie.qualities.size(); ++q) {
      const auto& lower = movie.qualities[q - 1].sizes;
      const auto& higher = movie.qualities[q].sizes;
      EXPECT_GT(correlation(lower, higher), 0.9) << "seed " << seed;
      for (std::size_t s = 0; s < lower.size(); ++s) EXPECT_LT(lower[s], higher[s]) << "seed " << seed;
    }
  }
}

TEST(ThesisMovie, NeighbouringSegmentsAreAlike) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<DataSize> sizes = thesis_movie(seed, kThesisSegments).qualities[0].sizes;
    const std::vector<DataSize> but_last(sizes.begin(), sizes.end() - 1), but_first(sizes.begin() + 1, sizes.end());
    EXPECT_GT(correlation(but_last, but_first), 0.25) << "seed " << seed;
  }
}

TEST(ThesisMovie, IsAFunctionOfItsSeed) {
  EXPECT_EQ(thesis_movie(7, 100), thesis_movie(7, 100));
  EXPECT_NE(thesis_movie(7, 100), thesis_movie(8, 100));
}

TEST(ReadMovie, SizesAreRoundedToBytes) {
  const SyntheticMovie movie = read_movie(R"({"segment_duration_ms": 3000, "bitrates_kbps": [1, 2.5],
      "segment_sizes_bits": [[800, 1603], [804, 1604]], "note": "not read"})");
  EXPECT_EQ(movie.segment_ms, 3000u);
  EXPECT_EQ(movie.qualities[0].name, "q0");
  EXPECT_EQ(movie.qualities[1].rate, DataRate::bits_per_second(2500));
  EXPECT_THAT(movie.qualities[0].sizes, ElementsAre(100_B, 101_B));
  EXPECT_THAT(movie.qualities[1].sizes, ElementsAre(200_B, 201_B));
}

TEST(ReadMovie, WrongMoviesAreRefusedAtTheirPlace) {
  const auto refusal = [](const std::string& members) -> std::string {
    try {
      read_movie("{\"segment_duration_ms\": 2000, " + members + "}");
    } catch (const JsonError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(R"("bitrates_kbps": [1], "segment_sizes_bits": [[8]])"), "accepted");
  EXPECT_EQ(refusal(R"("bitrates_kbps": [1])"), "\"segment_sizes_bits\" is missing");
  EXPECT_EQ(refusal(R"("bitrates_kbps": [], "segment_sizes_bits": [[8]])"), "bitrates_kbps: there is no quality");
  EXPECT_EQ(refusal(R"("bitrates_kbps": [0], "segment_sizes_bits": [[8]])"), "bitrates_kbps[0]: not a rate in kbit/s");
  EXPECT_EQ(refusal(R"("bitrates_kbps": [1], "segment_sizes_bits": [])"), "segment_sizes_bits: there is no segment");
  EXPECT_EQ(refusal(R"("bitrates_kbps": [1], "segment_sizes_bits": [[8], [8, 9]])"),
            "segment_sizes_bits[1]: expected 1 sizes, one a quality");
  EXPECT_THAT(refusal(R"("bitrates_kbps": [1], "segment_sizes_bits": [[-5]])"),
              StartsWith("segment_sizes_bits[0][0]: -5 is not a size in bits"));
  EXPECT_EQ(refusal(R"("bitrates_kbps": [1], "quality_names": [], "segment_sizes_bits": [[8]])"),
            "quality_names: expected 1 names");
  EXPECT_THAT(refusal(R"("bitrates_kbps": [1], "quality_names": [".."], "segment_sizes_bits": [[8]])"),
              StartsWith("quality_names[0]: the name must be"));
  EXPECT_THAT(refusal(R"("bitrates_kbps": [1, 2], "quality_names": ["a", "a"], "segment_sizes_bits": [[8, 8]])"),
              StartsWith("quality_names[1]: the name is used twice"));
}

TEST(SyntheticContent, DependsOnEveryPartOfThePlace) {
  const auto bytes = [](std::uint32_t quality, std::uint32_t segment, std::uint64_t offset) {
    std::vector<std::byte> content(64);
    fill_synthetic(content, quality, segment, offset);
    return content;
  };
  const auto whole = bytes(1, 2, 0);
  EXPECT_EQ(bytes(1, 2, 0), whole);
  EXPECT_NE(bytes(2, 1, 0), whole);
  EXPECT_NE(bytes(1, 3, 0), whole);
  for (std::uint64_t offset = 1; offset < 64; ++offset) {
    const auto part = bytes(1, 2, offset);
    EXPECT_TRUE(std::equal(part.begin(), part.end() - static_cast<std::ptrdiff_t>(offset),
                           whole.begin() + static_cast<std::ptrdiff_t>(offset)));
    EXPECT_NE(part, whole);
  }
}

}  // namespace
}  // namespace tributary::segmenter
