#include "cues/text_file.hh"

#include <gtest/gtest.h>

#include "chunk_bytes.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// An init segment with one track of this kind of samples, 1000 ticks a second.
std::string init_of(const std::string& entry) {
  const std::string stsd = box("stsd", big_endian(0, 4) + big_endian(1, 4) + box(entry, big_endian(0, 8)));
  const std::string mdhd = box(
      "mdhd", big_endian(0, 12) + big_endian(1000, 4) + big_endian(0, 4) + big_endian(0x55c4, 2) + big_endian(0, 2));
  const std::string mdia = box("mdia", mdhd + box("minf", box("stbl", stsd)));
  return box("moov",
             box("trak", mdia) + box("mvex", box("trex", big_endian(0, 8) + big_endian(1, 4) + big_endian(0, 12))));
}
std::string vttc(const std::string& text) {
  return box("vttc", box("iden", "1") + box("sttg", "line:0") + box("payl", text));
}
TextFile read(const std::string& content, const std::string& init = "") {
  return read_text_file(bytes_of(content), bytes_of(init));
}

TEST(TextFile, SamplesOfWebVttLastAsLongAsTheySay) {
  const std::string chunk = chunk_of(
      60'000,
      {{2000, 0, 0, vttc("a") + vttc("<i>b</i>")}, {1000, 0, 0, box("vtte", "")}, {500, 0, 0, vttc("c &amp; d")}});
  const TextFile file = read(chunk, init_of("wvtt"));
  EXPECT_EQ(file.clock, TextFile::Clock::kMedia);
  EXPECT_EQ(file.cues, (std::vector<Cue>{{60s, 62s, "a"}, {60s, 62s, "<i>b</i>"}, {63s, 63500ms, "c &amp; d"}}));
}

TEST(TextFile, SamplesOfTtmlHaveTimesOfTheirOwn) {
  const std::string ttml = "<tt><body><div><p begin=\"61s\" end=\"64s\">x</p></div></body></tt>";
  const std::string init = init_of("stpp"), chunk = chunk_of(60'000, {{2000, 0, 0, ttml}});
  const std::vector<Cue> expected{{61s, 64s, "x"}};
  EXPECT_EQ(read(chunk, init).cues, expected);
  EXPECT_EQ(read(init + chunk).cues, expected);  // a file of its own
}

TEST(TextFile, TheBytesTellWhatItIs) {
  EXPECT_EQ(read("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:90000,LOCAL:00:00:00.000\n\n").clock, TextFile::Clock::kTransport);
  EXPECT_EQ(read("\n<tt/>").clock, TextFile::Clock::kDocument);
  EXPECT_THROW(read(""), TextError);
  EXPECT_THROW(read("1\n00:00:01,000 --> 00:00:02,000\nSubRip\n"), TextError);
}

TEST(TextFile, OfAUserMayBeSubRip) {
  const auto read_users = [](const std::string& content) { return read_users_text_file(bytes_of(content)).cues; };
  const std::vector<Cue> expected{{1s, 2s, "x"}};
  EXPECT_EQ(read_users("1\n00:00:01,000 --> 00:00:02,000\nx\n"), expected);
  EXPECT_EQ(read_users("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n"), expected);
  EXPECT_EQ(read_users("<tt><body><div><p begin=\"1s\" end=\"2s\">x</p></div></body></tt>"), expected);
  EXPECT_THROW(read_users("a shopping list\n"), TextError);
  EXPECT_THROW(read_users("WEBVTTX\n\n00:01.000 --> 00:02.000\nx\n"), TextError);
}

TEST(TextFile, DamagedFragmentsAreReadUpToTheDamage) {
  const std::string init = init_of("wvtt"), chunk = chunk_of(0, {{1000, 0, 0, vttc("a")}});
  EXPECT_EQ(read(chunk + chunk.substr(0, chunk.size() - 3), init).cues.size(), 1u);
  EXPECT_THROW(read(chunk.substr(0, 20), init), TextError);
  EXPECT_THROW(read(chunk, chunk), TextError);
  EXPECT_THROW(read(chunk, init_of("tx3g")), TextError);
}

}  // namespace
}  // namespace tributary
