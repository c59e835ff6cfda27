#include "lend/lender.hh"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "lending/borrowing/borrowed_bytes.hh"
#include "system/descriptor_limit.hh"

namespace tributary::lending {

Lender::Lender(const boost::asio::any_io_executor& executor, Options options, Say log)
    : options_{std::move(options)},
      log_{std::move(log)},
      identity_{own_identity(options_.folder)},
      members_file_{options_.folder, PeersFile::Of::kMembers},
      lenders_file_{options_.folder, PeersFile::Of::kLenders},
      code_file_{options_.folder},
      surroundings_{options_.link},
      places_{raise_descriptor_limit()},
      use_{options_.folder, options_.limits.each_day, log_},
      shares_{executor, options_.limits, use_},
      somebody_{executor, boost::asio::steady_timer::time_point::max()},
      members_{members_file_.read()} {}

const Peer* Lender::member(const MemberKey& key) const {
  const auto found = std::ranges::find(members_, key, &Peer::key);
  return found == members_.end() ? nullptr : &*found;
}

std::shared_ptr<MemberShare> Lender::share_for_use(const Peer& member) {
  somebody_.cancel();
  return shares_.of(member);
}

LenderStatus Lender::status_for(const Peer& member, const IpAddress& address, const std::set<std::string>& gateways) {
  LenderStatus status{.name = options_.name,
                      .left = shares_.of(member)->left_today(),
                      .each_day = use_.caps().member ? use_.caps().member : use_.caps().all,
                      .public_only = options_.reachable.allowed.empty()};
  status.why = surroundings_.obstacle(address, gateways);
  if (status.why.empty()) status.why = surroundings_.why_not();
  if (status.why.empty() && status.left == DataSize{}) status.why = "what it lends each day is used up";
  if (status.why.empty() && shares_.is_taken()) status.why = "it needs its link itself";
  status.lends = status.why.empty();
  return status;
}

void Lender::read_members() {
  try {
    members_ = members_file_.read();
    shares_.remove_all_but(members_);
  } catch (const std::exception& error) {
    log_(fmt::format("members stay as they were: {}", error.what()));
  }
}

void Lender::read_code(TimePoint now) {
  std::optional<std::string> code;
  try {
    code = code_file_.read();
  } catch (const std::exception& error) {
    log_(error.what());
  }
  if (code)
    desk_.give_out(*code, now);
  else
    desk_.withdraw();
}

std::string Lender::admit(Peer peer) {
  std::string name = members_file_.add(std::move(peer));
  desk_.paired();
  code_file_.remove();
  read_members();
  log_(fmt::format("{} is a member now", name));
  return name;
}

void Lender::close_desk() {
  code_file_.remove();
  log_("three wrong codes: nobody is paired for a while");
}

void Lender::look(TimePoint now) {
  try {
    surroundings_.look();
    const std::string& why_not = surroundings_.why_not();
    if (std::exchange(said_, why_not) != why_not)
      log_(why_not.empty() ? "lends again" : fmt::format("lends nothing: {}", why_not));
    const BorrowedBytes borrowed{options_.folder};
    for (const Peer& lender : lenders_file_.read()) {
      if (member(lender.key) != nullptr) shares_.lent_to_us(lender.key, borrowed.in_all(lender.key), now);
    }
  } catch (const std::exception& error) {
    log_(error.what());
  }
}

}  // namespace tributary::lending
