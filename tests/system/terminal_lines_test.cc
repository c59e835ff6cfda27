#include "system/terminal_lines.hh"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>

#include <array>

#include "system/file_descriptor.hh"

namespace tributary {
namespace {

/// A terminal, and what has been written to it.
class Terminal {
 public:
  Terminal() {
    std::array<int, 2> ends{};
    termios raw{};
    cfmakeraw(&raw);
    EXPECT_EQ(openpty(&ends[0], &ends[1], nullptr, &raw, nullptr), 0);
    screen_ = FileDescriptor{ends[0]};
    out = fdopen(ends[1], "w");
  }
  ~Terminal() { std::fclose(out); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void resize(unsigned short columns) {
    const winsize size{.ws_row = 24, .ws_col = columns};
    EXPECT_EQ(ioctl(screen_.get(), TIOCSWINSZ, &size), 0);
  }
  std::string written() {
    constexpr int kLongestGap = 200;  // ms; the kernel passes on in pieces what was written at once
    std::string all;
    std::array<char, 4096> text{};
    for (pollfd screen{screen_.get(), POLLIN, 0}; poll(&screen, 1, kLongestGap) > 0;) {
      const ssize_t length = read(screen_.get(), text.data(), text.size());
      if (length <= 0) break;
      all.append(text.data(), static_cast<std::size_t>(length));
    }
    return all;
  }

  std::FILE* out = nullptr;

 private:
  FileDescriptor screen_;
};

TEST(TerminalLines, AreDrawnInThePlaceOfThoseBefore) {
  Terminal terminal;
  TerminalLines lines{terminal.out};
  ASSERT_TRUE(lines.is_terminal());
  lines.draw(std::array<std::string, 2>{"one", "two"});
  EXPECT_EQ(terminal.written(), "\x1b[?7lone\ntwo\n\x1b[?7h");
  lines.draw("three");
  EXPECT_EQ(terminal.written(), "\x1b[2F\x1b[J\x1b[?7lthree\n\x1b[?7h");
}

TEST(TerminalLines, ALineThatIsSaidStaysAboveThem) {
  Terminal terminal;
  TerminalLines lines{terminal.out};
  lines.draw("one");
  terminal.written();
  lines.say("a link is gone");
  EXPECT_EQ(terminal.written(), "\x1b[1F\x1b[Ja link is gone\n");
  lines.draw("two");
  EXPECT_EQ(terminal.written(), "\x1b[?7ltwo\n\x1b[?7h");
}

TEST(TerminalLines, AreCutToTheWidthOfTheTerminal) {
  Terminal terminal;
  terminal.resize(5);
  TerminalLines lines{terminal.out};
  lines.draw(std::array<std::string, 3>{"123456", "映画映画", "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301"});
  EXPECT_EQ(terminal.written(), "\x1b[?7l12345\n映画\ne\u0301e\u0301e\u0301e\u0301e\u0301\n\x1b[?7h");
}

TEST(TerminalLines, WhenTheTerminalBecomesNarrowerAllRowsOfTheLinesBeforeAreReplaced) {
  Terminal terminal;
  terminal.resize(10);
  TerminalLines lines{terminal.out};
  lines.draw(std::array<std::string, 2>{"1234567890", ""});
  terminal.written();
  terminal.resize(4);
  lines.draw("1234567890");
  EXPECT_EQ(terminal.written(), "\x1b[4F\x1b[J\x1b[?7l1234\n\x1b[?7h");
}

TEST(TerminalLines, OnceLeftTheyStay) {
  Terminal terminal;
  TerminalLines lines{terminal.out};
  lines.draw("one");
  terminal.written();
  lines.leave();
  lines.say("the end");
  EXPECT_EQ(terminal.written(), "the end\n");
}

TEST(TerminalLines, NoTextCommandsTheTerminal) {
  Terminal terminal;
  TerminalLines lines{terminal.out};
  lines.draw("\x1b[2J\n");
  EXPECT_EQ(terminal.written(), "\x1b[?7l\\x1b[2J\\x0a\n\x1b[?7h");
}

TEST(TerminalLines, WithoutATerminalNothingIsDrawn) {
  std::FILE* const out = std::tmpfile();
  TerminalLines lines{out};
  lines.draw("one");
  lines.say("two");
  EXPECT_EQ(std::ftell(out), 4);
  std::fclose(out);
}

}  // namespace
}  // namespace tributary
