#include "lending/borrowing/lender_watch.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <utility>

#include "lending/borrowing/lender_addresses.hh"
#include "lending/borrowing/status_stream.hh"
#include "lending/finding/find_lenders.hh"
#include "links/interfaces/link_snapshot.hh"
#include "links/interfaces/network_name.hh"
#include "transport/connections/curl_handle.hh"

namespace tributary::lending {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstPause = 500ms, kLongestPause = 8s;
constexpr Duration kSearch = 2s;

/// Those of this machine's links.
std::string own_gateways() {
  std::set<std::string> gateways;
  try {
    for (const auto& [name, link] : LinkSnapshot{kAnywhere}.take()) {
      for (const auto* family : {&link.ipv4, &link.ipv6}) {
        if (!family->gateway.empty()) gateways.insert(family->gateway);
      }
    }
  } catch (const std::exception&) {  // then the lender does not hear of them
  }
  return fmt::format("{}", fmt::join(gateways, ", "));
}

void sleep(Duration time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock{mutex};
  never.wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

LenderWatch::LenderWatch(Peer lender, std::shared_ptr<const Identity> own, PeersFile lenders)
    : lender_{std::move(lender)}, own_{std::move(own)}, lenders_{std::move(lenders)}, address_{lender_.address} {
  transport::ensure_curl();
  thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

LenderWatch::~LenderWatch() = default;

LenderWatch::Known LenderWatch::known() const {
  const std::lock_guard lock{mutex_};
  return known_;
}

bool LenderWatch::is_being_asked() const {
  const std::lock_guard lock{mutex_};
  return !asked_;
}

void LenderWatch::wait_for_word(Duration most) const {
  std::unique_lock lock{mutex_};
  heard_.wait_for(lock, most, [this] { return asked_; });
}

std::string LenderWatch::address() const {
  const std::lock_guard lock{mutex_};
  return address_;
}

void LenderWatch::tell(transport::EventFd& bell) {
  const std::lock_guard lock{mutex_};
  bells_.insert(&bell);
  bell.signal();
}

void LenderWatch::forget(transport::EventFd& bell) {
  const std::lock_guard lock{mutex_};
  bells_.erase(&bell);
}

void LenderWatch::set(Known known) {
  const std::lock_guard lock{mutex_};
  const bool same = known.status == known_.status && known.why_not == known_.why_not;
  known_ = std::move(known);
  if (known_.status) asked_ = true;
  heard_.notify_all();
  if (same) return;
  for (transport::EventFd* bell : bells_) bell->signal();
}

void LenderWatch::has_asked() {
  const std::lock_guard lock{mutex_};
  asked_ = true;
  heard_.notify_all();
}

void LenderWatch::run(const std::stop_token& stop) {
  Duration pause = kFirstPause;
  LenderAddresses addresses{address()};
  while (!stop.stop_requested()) {
    const auto all = addresses.all();
    const auto answered = std::ranges::find_if(all, [&](const std::string& each) { return listen(each, stop); });
    if (answered != all.end()) addresses.answered_at(*answered);
    pause = answered != all.end() ? kFirstPause : std::min<Duration>(2 * pause, kLongestPause);
    if (addresses.found(look_for_it(stop))) continue;
    has_asked();
    sleep(pause, stop);
  }
}

/// Until it says nothing more, or `stop`. False: it has said nothing.
bool LenderWatch::listen(const std::string& address, const std::stop_token& stop) {
  if (stop.stop_requested()) return false;
  bool came = false;
  std::string why = stream_status(address, lender_.key, *own_, own_gateways(), stop, [&](const LenderStatus& status) {
    if (!std::exchange(came, true)) answered_at(address);
    set({status, {}});
  });
  if (came || address == this->address()) set({std::nullopt, std::move(why)});
  return came;
}

void LenderWatch::answered_at(const std::string& address) {
  {
    const std::lock_guard lock{mutex_};
    address_ = address;
  }
  try {
    lenders_.move(lender_.key, address);
  } catch (const std::exception&) {  // it is looked for again next time
  }
}

std::vector<std::string> LenderWatch::look_for_it(const std::stop_token& stop) const {
  for (FoundLender& found : find_lenders(kSearch, [&] { return !stop.stop_requested(); })) {
    if (found.key == lender_.key) return std::move(found.addresses);
  }
  return {};
}

}  // namespace tributary::lending
