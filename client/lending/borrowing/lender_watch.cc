#include "lending/borrowing/lender_watch.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <utility>

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
  asked_ = true;
  heard_.notify_all();
  if (same) return;
  for (transport::EventFd* bell : bells_) bell->signal();
}

void LenderWatch::run(const std::stop_token& stop) {
  Duration pause = kFirstPause;
  while (!stop.stop_requested()) {
    bool came = false;
    const std::string why =
        stream_status(address(), lender_.key, *own_, own_gateways(), stop, [&](const LenderStatus& status) {
          came = true;
          set({status, {}});
        });
    set({std::nullopt, why});
    pause = came ? kFirstPause : std::min<Duration>(2 * pause, kLongestPause);
    look_for_address(stop);
    sleep(pause, stop);
  }
}

void LenderWatch::look_for_address(const std::stop_token& stop) {
  for (const FoundLender& found : find_lenders(kSearch, [&] { return !stop.stop_requested(); })) {
    if (found.key != lender_.key || found.address == address()) continue;
    {
      const std::lock_guard lock{mutex_};
      address_ = found.address;
    }
    try {
      Peer moved = lender_;
      moved.address = found.address;
      lenders_.add(std::move(moved));
    } catch (const std::exception&) {  // it is looked for again next time
    }
  }
}

}  // namespace tributary::lending
