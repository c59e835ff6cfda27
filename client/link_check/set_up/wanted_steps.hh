#pragma once

#include <optional>
#include <string>
#include <vector>

#include "link_check/set_up/fixed_addresses.hh"
#include "links/interfaces/link_state.hh"

namespace tributary {

/// The words of a command, for the program that the first one names.
using Command = std::vector<std::string>;

/// As one would write it in a shell.
std::string command_text(const Command& command);

/// One change of this machine for a link.
struct SetUpStep {
  Command command;
  Command undo;                // empty: nothing is left to be undone
  bool runs_on = false;        // the command is a service, which ends, and cleans up, by SIGTERM
  bool goes_with_link = true;  // what was changed is gone once the device is

  bool operator==(const SetUpStep&) const = default;
};

/// A link, and what decides which steps it needs.
struct LinkToSetUp {
  LinkState state;                          // towards any origin
  std::string reverse_path = "0";           // net.ipv4.conf.NAME.rp_filter
  bool strict_reverse_path = false;         // what counts, with the setting for all links
  bool managed = false;                     // by NetworkManager, where its user says whether it is connected
  std::optional<FixedAddress> fixed;        // not by DHCP
  std::optional<std::string> last_address;  // that it had by DHCP: what to ask for again
};

/// What a link needs to be used beside others, in order (Evensen 2011, chapter 3: the link module of MULTI): to be up; addresses,
/// its own or by DHCP; a default route, behind those that are there; a routing table of its own for what is sent from its address
/// or bound to it; and no strict reverse-path filter, because answers come in over the link that the question left by.
///
/// `taken`: the steps that were taken for this link. They stay wanted as long as their conditions hold.
std::vector<SetUpStep> wanted_steps(const LinkToSetUp& link, const std::vector<SetUpStep>& taken);

/// What the link will be like after the step, with words in place of what DHCP will tell: ADDRESS, NETWORK and ROUTER.
void foresee(LinkToSetUp& link, const SetUpStep& step);

}  // namespace tributary
