#include "proxy/files/incoming_file.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <thread>

#include "units/split_mix.hh"

namespace tributary::proxy {
namespace {

using namespace literals;
using Phase = IncomingFile::Phase;

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span<const char>{text.data(), text.size()});
}

std::string text_at(const IncomingFile& file, DataSize offset, std::size_t most = 1000) {
  std::string text(most, '\0');
  text.resize(file.read(offset, std::as_writable_bytes(std::span{text})));
  return text;
}

std::string some_content(std::size_t size) {
  std::string content(size, '\0');
  SplitMix chance{7};
  std::ranges::generate(content, [&] { return static_cast<char>(chance.next()); });
  return content;
}

TEST(IncomingFile, IsReadFromTheFrontWhateverComesFirst) {
  IncomingFile file;
  file.size_is(9_B);
  file.put(6_B, bytes("789"));
  EXPECT_EQ(text_at(file, 0_B), "");
  EXPECT_EQ(text_at(file, 6_B), "");  // a gap stands before it
  EXPECT_TRUE(file.progress().begun);
  EXPECT_EQ(file.progress().there, 0_B);
  file.put(0_B, bytes("123"));
  EXPECT_EQ(text_at(file, 0_B), "123");
  file.put(3_B, bytes("456"));
  EXPECT_EQ(file.progress().there, 9_B);
  EXPECT_EQ(text_at(file, 1_B, 4), "2345");
  EXPECT_EQ(text_at(file, 9_B), "");
  EXPECT_EQ(text_at(file, 50_B), "");
  file.complete();
  EXPECT_EQ(file.progress().phase, Phase::kComplete);
}

TEST(IncomingFile, LearnsItsSizeFromItsEndAtTheLatest) {
  IncomingFile file;
  file.put(0_B, bytes("abc"));
  EXPECT_EQ(file.progress().size, std::nullopt);
  file.complete();
  EXPECT_EQ(file.progress().size, 3_B);
}

TEST(IncomingFile, MayLearnItsSizeWhileBytesCome) {
  IncomingFile file;
  file.put(0_B, bytes("abc"));
  file.size_is(5_B);
  EXPECT_EQ(file.progress().size, 5_B);
  file.put(3_B, bytes("defg"));  // more than there is
  EXPECT_EQ(text_at(file, 0_B), "abcde");
}

TEST(IncomingFile, CanBeEmpty) {
  IncomingFile file;
  file.complete();
  EXPECT_EQ(file.progress().size, 0_B);
  EXPECT_FALSE(file.progress().begun);
}

TEST(IncomingFile, TellsWhyItFailedAndKeepsWhatIsThere) {
  IncomingFile file;
  file.put(0_B, bytes("abc"));
  file.fail(504, "no link reaches the origin");
  const IncomingFile::Progress progress = file.progress();
  EXPECT_EQ(progress.phase, Phase::kFailed);
  EXPECT_EQ(progress.status, 504u);
  EXPECT_EQ(progress.why, "no link reaches the origin");
  EXPECT_EQ(text_at(file, 0_B), "abc");
}

TEST(IncomingFile, DoesNotChangeAfterItsEnd) {
  IncomingFile complete;
  complete.put(0_B, bytes("abc"));
  complete.complete();
  complete.put(3_B, bytes("d"));
  complete.size_is(4_B);
  complete.fail(502, "late");
  EXPECT_EQ(complete.progress().phase, Phase::kComplete);
  EXPECT_EQ(complete.progress().size, 3_B);
  EXPECT_EQ(complete.progress().there, 3_B);

  IncomingFile failed;
  failed.fail(404, "first");
  failed.fail(502, "second");
  failed.put(0_B, bytes("abc"));
  failed.complete();
  EXPECT_EQ(failed.progress().status, 404u);
  EXPECT_FALSE(failed.progress().begun);
}

TEST(IncomingFile, BelievesNoSizeWithItsMemory) {
  IncomingFile file;
  file.size_is(DataSize{std::int64_t{1} << 60});
  file.put(0_B, bytes("abc"));
  EXPECT_EQ(text_at(file, 0_B), "abc");
}

TEST(IncomingFile, IsNoSmallerThanWhatHasCome) {
  IncomingFile file;
  file.put(0_B, bytes("abc"));
  file.size_is(2_B);
  EXPECT_EQ(file.progress().size, 3_B);
  file.complete();
  EXPECT_EQ(text_at(file, 0_B), "abc");
}

TEST(IncomingFile, TellsOfEachChangeUntilToldNotTo) {
  IncomingFile file;
  int told = 0;
  DataSize there;
  const int listener = file.tell([&] {
    ++told;
    there = file.progress().there;  // a listener may look
  });
  file.size_is(6_B);
  file.size_is(6_B);  // no change
  file.put(0_B, bytes("abc"));
  file.put(3_B, {});
  EXPECT_EQ(told, 2);
  EXPECT_EQ(there, 3_B);
  file.stop_telling(listener);
  file.put(3_B, bytes("def"));
  file.complete();
  EXPECT_EQ(told, 2);
}

TEST(IncomingFile, HasTheRightBytesInAnyOrderOfPieces) {
  const std::string content = some_content(5000);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    SplitMix chance{seed};
    std::vector<std::pair<std::size_t, std::size_t>> pieces;  // some overlap
    for (std::size_t at = 0; at < content.size();) {
      const std::size_t end = std::min<std::size_t>(content.size(), at + 1 + chance.below(400));
      pieces.emplace_back(at - std::min<std::size_t>(at, chance.below(20)), end);
      at = end;
    }
    for (std::size_t i = pieces.size(); i > 1; --i)
      std::swap(pieces[i - 1], pieces[chance.below(static_cast<std::uint32_t>(i))]);
    IncomingFile file;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i == pieces.size() / 2) file.size_is(DataSize{std::ssize(content)});
      const auto [begin, end] = pieces[i];
      file.put(DataSize{static_cast<std::int64_t>(begin)}, bytes(content).subspan(begin, end - begin));
      const auto there = static_cast<std::size_t>(file.progress().there.bytes());
      ASSERT_EQ(text_at(file, 0_B, 6000), content.substr(0, there));
    }
    file.complete();
    EXPECT_EQ(text_at(file, 0_B, 6000), content);
  }
}

TEST(IncomingFile, IsReadWhileItIsWritten) {
  const std::string content = some_content(1'000'000);
  IncomingFile file;
  std::atomic<bool> changed = false;
  const int listener = file.tell([&] {
    changed = true;
    changed.notify_one();
  });
  std::thread writer{[&] {
    file.size_is(DataSize{std::ssize(content)});
    for (std::size_t at = 0; at < content.size(); at += 2000) {  // of two links, the second is ahead
      const std::size_t size = 1000;
      file.put(DataSize{static_cast<std::int64_t>(at + size)}, bytes(content).subspan(at + size, size));
      file.put(DataSize{static_cast<std::int64_t>(at)}, bytes(content).subspan(at, size));
    }
    file.complete();
  }};
  std::string read;
  while (read.size() < content.size()) {
    changed.wait(false);
    changed = false;
    for (std::string piece; !(piece = text_at(file, DataSize{std::ssize(read)}, 7000)).empty();) read += piece;
  }
  writer.join();
  file.stop_telling(listener);
  EXPECT_TRUE(read == content);
  EXPECT_EQ(file.progress().phase, Phase::kComplete);
}

}  // namespace
}  // namespace tributary::proxy
