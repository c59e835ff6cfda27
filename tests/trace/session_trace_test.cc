#include "trace/session_trace.hh"

#include <gtest/gtest.h>

#include <sstream>

#include "support/simulated_run.hh"
#include "support/tables.hh"
#include "trace/replay.hh"

namespace tributary {
namespace {

using namespace literals;

std::string recorded() {
  return testing::SimulatedRun{testing::constant_table(4, {100_kB, 200_kB}), {}, "a 2Mbps 20ms; b 1Mbps 20ms"}.trace;
}

SessionTrace read(const std::string& text) {
  std::istringstream in{text};
  return SessionTrace::read(in);
}

TEST(SessionTrace, HoldsAllThatASessionIsAFunctionOf) {
  const SessionTrace trace = read(recorded());
  EXPECT_EQ(trace.segments, 4U);
  EXPECT_EQ(trace.options, SessionOptions{});
  EXPECT_EQ(trace.presentation.tracks.size(), 2U);
  EXPECT_GT(trace.lines.size(), 100U);
}

TEST(SessionTrace, NamesTheLineThatIsWrong) {
  std::string text = recorded();
  const auto third_event = text.find("bytes-received");
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(third_event), '\n');
  text.replace(third_event, 5, "bites");
  try {
    read(text);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), "line " + std::to_string(line) + " of the trace: unknown \"bites-received\"");
  }
}

TEST(SessionTrace, HoldsTheSoundThatWasChosen) {
  Presentation title = testing::constant_table(2, {100_kB, 200_kB}).presentation();
  for (const char* const id : {"english", "german"}) {
    Track sound = title.tracks[0];
    sound.id = sound.group = id;
    sound.kind = TrackKind::kAudio;
    sound.codec = "mp4a.40.2";
    sound.mime = "audio/mp4";
    sound.sample_rate = 48'000;
    sound.channels = 2;
    title.tracks.push_back(sound);
  }
  for (const std::size_t chosen : {2U, 3U}) {
    SegmentTable table{title};
    table.choose_sound(chosen);
    std::ostringstream out;
    const TraceWriter writer{out, Session{table, {}}};
    const SessionTrace trace = read(out.str());
    EXPECT_EQ(trace.sound, chosen == 3 ? std::optional{chosen} : std::nullopt);
    EXPECT_EQ(recorded_session(trace).table().sound(), chosen);
  }
  std::string text = recorded();
  text.insert(text.find("options "), "sound 1\n");
  EXPECT_THROW(read(text), std::invalid_argument) << "track 1 is a picture";
}

TEST(SessionTrace, ATruncatedOneIsRefusedOrShorterNeverACrash) {
  const std::string text = recorded();
  const std::size_t all = read(text).lines.size();
  std::size_t refused = 0, shorter = 0;
  for (std::size_t length = 0; length < text.size() - 1; length += 37) {
    try {
      EXPECT_LE(read(text.substr(0, length)).lines.size(), all);
      ++shorter;
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(shorter, 0U);
}

TEST(Replay, SaysWhereADecisionIsAnother) {
  std::string text = recorded();
  const std::string range = "range=100000-";
  text.replace(text.find(range), range.size(), "range=100001-");
  const SessionTrace trace = read(text);
  Session session = recorded_session(trace);
  const auto difference = replay(trace, session);
  ASSERT_TRUE(difference);
  EXPECT_NE(difference->find("range=100001-"), std::string::npos) << *difference;
  EXPECT_NE(difference->find("range=100000-"), std::string::npos) << *difference;
}

}  // namespace
}  // namespace tributary
