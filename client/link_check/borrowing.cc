#include "link_check/borrowing.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "command_line/program_end.hh"
#include "lending/borrowing/pair_with_lender.hh"
#include "lending/borrowing/status_stream.hh"
#include "lending/finding/find_lenders.hh"
#include "lending/identity/lender_status.hh"
#include "lending/identity/peers.hh"
#include "transport/connections/curl_handle.hh"
#include "units/text/host.hh"
#include "units/text/printed_text.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kSearch = 3s;

/// Nothing more comes: an empty line.
std::string asked(const std::string& question) {
  print_text(stderr, "{}", question);
  std::string line;
  std::getline(std::cin, line);
  return line;
}

bool is_at_terminal() { return ::isatty(STDIN_FILENO) == 1; }

std::string with_port(const std::string& lender) {
  const auto split = split_host(lender);
  if (!split || (split->port && port_number(*split->port).value_or(0) == 0))
    throw UsageError{fmt::format("--borrow: \"{}\": expected HOST[:PORT]", lender)};
  if (split->port) return lender;
  const bool bare_ipv6 = lender.find(':') != std::string::npos && lender[0] != '[';
  return fmt::format("{}:{}", bare_ipv6 ? fmt::format("[{}]", lender) : lender, lending::kLendingPort);
}

/// Of those in the network, the one that the user means.
std::string found_lender() {
  print_text(stderr, "tributary-links: looks for lenders in the network\n");
  const std::vector<lending::FoundLender> found = lending::find_lenders(kSearch);
  if (found.empty())
    throw std::runtime_error{
        "nobody in the network says that a link is lent (mDNS): say the address, as in --borrow 192.168.1.7"};
  for (std::size_t i = 0; i < found.size(); ++i)
    print_text(stderr, "{}: {} at {}\n", i + 1, found[i].name, fmt::join(found[i].addresses, ", "));
  if (found.size() == 1) return found[0].addresses.front();
  const std::string number = is_at_terminal() ? asked("Which one? ") : "";
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (number == std::to_string(i + 1)) return found[i].addresses.front();
  }
  throw UsageError{"--borrow: there are several: say the address of one"};
}

std::string code_for(const std::string& given) {
  const std::string text = given.empty() ? asked("The code that is shown there (tributary-lend --pair): ") : given;
  const auto code = lending::read_pairing_code(text);
  if (!code) throw UsageError{fmt::format("\"{}\": expected a code of six digits", text)};
  return *code;
}

/// Who has typed the code at a terminal is asked; a script has said it by its call.
bool agrees(const std::string& name) {
  if (!is_at_terminal()) return true;
  const std::string answer = asked(fmt::format(
      "{0} will see which servers you use, and how many bytes, but not what is in them where addresses begin with https. "
      "Use the link of {0} in all programs? [Y/n] ",
      name));
  return answer.empty() || answer[0] == 'y' || answer[0] == 'Y';
}

lending::PeersFile lenders_file() { return {lending::lending_folder(), lending::PeersFile::Of::kLenders}; }

/// What a lender says now, or why it says nothing.
struct Asked {
  std::optional<lending::LenderStatus> status;
  std::string why_not;
};

Asked ask(const lending::Peer& lender, const lending::Identity& own) {
  Asked answer;
  std::stop_source enough;
  answer.why_not = lending::stream_status(lender.address, lender.key, own, "", enough.get_token(),
                                          [&](const lending::LenderStatus& status) {
                                            answer.status = status;
                                            enough.request_stop();
                                          });
  return answer;
}

std::string described(const Asked& answer) {
  if (!answer.status) return answer.why_not;
  std::string text = answer.status->lends ? "lends" : "does not lend now: " + answer.status->why;
  if (answer.status->left && answer.status->each_day)
    text +=
        fmt::format(", {} of {} left today", format_size(*answer.status->left), format_size(*answer.status->each_day));
  return text;
}

}  // namespace

int borrow(const std::string& lender, const std::string& code) {
  const std::filesystem::path folder = lending::lending_folder();
  const lending::Identity own = lending::own_identity(folder);
  const std::string address = lender.empty() ? found_lender() : with_port(lender);
  lending::Peer paired = lending::pair_with_lender(address, code_for(code), own, lending::own_peer_name());
  paired.agreed = agrees(paired.name);
  const bool agreed = paired.agreed;
  const std::string name = lenders_file().add(std::move(paired));
  print_text(stdout, "{} lends you a link now: {}\n", name,
             agreed ? "programs that are started from now on use it" : fmt::format("--link {} uses it", name));
  return 0;
}

void list_lenders(bool json) {
  transport::ensure_curl();
  const std::vector<lending::Peer> known = lenders_file().read();
  const lending::Identity own = lending::own_identity(lending::lending_folder());
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string text;
  for (const lending::Peer& lender : known) {
    const std::string state = described(ask(lender, own));
    list.push_back({{"name", lender.name},
                    {"address", lender.address},
                    {"paired", true},
                    {"used", lender.agreed},
                    {"state", state}});
    text += fmt::format("{} at {}: {}{}\n", lender.name, lender.address, state,
                        lender.agreed ? "" : " (used by --link alone)");
  }
  for (const lending::FoundLender& lender : lending::find_lenders(kSearch)) {
    if (std::ranges::find(known, lender.key, &lending::Peer::key) != known.end()) continue;
    for (const std::string& address : lender.addresses) {
      list.push_back({{"name", lender.name}, {"address", address}, {"paired", false}});
      text += fmt::format("{0} at {1}: you are not paired (--borrow {1})\n", lender.name, address);
    }
  }
  if (text.empty()) text = "nobody lends you a link, and nobody in the network says that one is lent\n";
  print_text(stdout, "{}", json ? list.dump(2) + '\n' : text);
}

void give_back(const std::string& lender) {
  if (!lenders_file().remove(lender))
    throw UsageError{
        fmt::format("--give-back: \"{}\": nobody of this name lends you a link (--lenders lists them)", lender)};
}

}  // namespace tributary
