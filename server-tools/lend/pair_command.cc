#include "lend/pair_command.hh"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>

#include "lending/identity/code_file.hh"
#include "lending/identity/peers.hh"
#include "lending/pairing_desk.hh"
#include "system/stop_signal.hh"
#include "system/watched_file.hh"
#include "units/text/printed_text.hh"

namespace tributary::lending {
namespace {

enum class Ended { kChanged, kAnotherCode, kStopped, kTooLate };

/// Until the code that is shown is gone.
Ended wait_for_use(const CodeFile& code, const std::string& shown, WatchedFile& file, int stop_fd) {
  const auto until = std::chrono::steady_clock::now() + PairingDesk::kValid;
  while (const auto now = code.read()) {
    if (now != shown) return Ended::kAnotherCode;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left <= left.zero()) return Ended::kTooLate;
    std::array<pollfd, 2> files{{{stop_fd, POLLIN, 0}, {file.file_descriptor(), POLLIN, 0}}};
    if (::poll(files.data(), files.size(), static_cast<int>(left.count())) < 0) continue;
    if (files[0].revents != 0) return Ended::kStopped;
    if (files[1].revents != 0) file.changed();
  }
  return std::chrono::steady_clock::now() < until ? Ended::kChanged : Ended::kTooLate;
}

std::filesystem::file_time_type written_at(const PeersFile& file) {
  std::error_code none;
  return std::filesystem::last_write_time(file.path(), none);
}

/// Empty: nobody.
std::string newcomer(const std::vector<Peer>& before, const std::vector<Peer>& after) {
  const auto is_new = [&](const Peer& peer) { return std::ranges::find(before, peer.key, &Peer::key) == before.end(); };
  const auto found = std::ranges::find_if(after, is_new);
  return found == after.end() ? "" : found->name;
}

}  // namespace

int show_pairing_code(const std::filesystem::path& folder) {
  const int stop_fd = stop_signal_fd();
  std::filesystem::create_directories(folder);
  const PeersFile members{folder, PeersFile::Of::kMembers};
  const CodeFile code{folder};
  const std::vector<Peer> before = members.read();
  const auto written_before = written_at(members);
  const std::string digits = new_pairing_code();
  code.write(digits);
  WatchedFile file{code.path()};
  print_text(stdout,
             "{} {}\n\nOn the other machine: tributary-links --borrow, or --borrow ADDRESS. The code is good for five "
             "minutes and one member.\n",
             digits.substr(0, 3), digits.substr(3));
  std::fflush(stdout);
  const Ended ended = wait_for_use(code, digits, file, stop_fd);
  if (ended == Ended::kAnotherCode) {
    print_text(stderr, "tributary-lend: another code is shown elsewhere: this one is good no more\n");
    return 1;
  }
  if (ended != Ended::kChanged) {
    if (const auto now = code.read(); !now || now == digits) code.remove();
    if (ended == Ended::kTooLate)
      print_text(stderr, "tributary-lend: five minutes are over: the code is good no more\n");
    return 1;
  }
  if (written_at(members) == written_before) {
    print_text(stderr, "tributary-lend: the code is good no more: three tries with it were wrong\n");
    return 1;
  }
  const std::string name = newcomer(before, members.read());
  print_text(stdout, "{} is a member now\n", name.empty() ? "one that was before" : name);
  return 0;
}

}  // namespace tributary::lending
