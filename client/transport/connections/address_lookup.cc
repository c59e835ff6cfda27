#include "transport/connections/address_lookup.hh"

#include <exception>
#include <mutex>
#include <thread>

#include "transport/connections/origin_addresses.hh"
#include "transport/sockets/event_fd.hh"

namespace tributary::transport {

struct AddressLookup::State {
  std::mutex mutex;
  std::optional<std::vector<std::string>> addresses;
  std::exception_ptr error;
  EventFd answered;
};

AddressLookup::AddressLookup(const Origin& origin, const LinkRules& rules) : state_{std::make_shared<State>()} {
  std::thread{[state = state_, origin, rules] {
    std::optional<std::vector<std::string>> addresses;
    std::exception_ptr error;
    try {
      addresses = resolve(origin, rules);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock{state->mutex};
    state->addresses = std::move(addresses);
    state->error = error;
    state->answered.signal();
  }}.detach();
}

int AddressLookup::file_descriptor() const { return state_->answered.get(); }

std::optional<std::vector<std::string>> AddressLookup::result() const {
  const std::lock_guard lock{state_->mutex};
  if (state_->error) std::rethrow_exception(state_->error);
  return state_->addresses;
}

}  // namespace tributary::transport
