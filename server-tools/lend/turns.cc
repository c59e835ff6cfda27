#include "lend/turns.hh"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <list>
#include <utility>

namespace tributary::lending {

namespace asio = boost::asio;

struct Turns::State {
  struct Waiter {
    asio::steady_timer woken;
    Turn turn;
  };

  asio::any_io_executor executor;
  int free = 0;
  std::list<std::shared_ptr<Waiter>> waiting{};
};

Turns::Turns(const asio::any_io_executor& executor, int at_once)
    : state_{std::make_shared<State>(State{.executor = executor, .free = at_once})} {}

/// When it ends, the first of those who wait has it.
Turns::Turn Turns::begun(const std::shared_ptr<State>& state) {
  return Turn{state.get(), [state](const void* /*none*/) {
                if (state->waiting.empty()) {
                  ++state->free;
                  return;
                }
                const auto next = std::move(state->waiting.front());
                state->waiting.pop_front();
                next->turn = begun(state);
                next->woken.cancel();
              }};
}

Turns::Turn Turns::try_begin() {
  if (state_->free == 0) return nullptr;
  --state_->free;
  return begun(state_);
}

asio::awaitable<Turns::Turn> Turns::begin(Duration at_most) {
  const auto state = state_;
  if (Turn turn = try_begin()) co_return turn;
  const auto waiter = std::make_shared<State::Waiter>(State::Waiter{asio::steady_timer{state->executor, at_most}, {}});
  state->waiting.push_back(waiter);
  boost::system::error_code ignored;
  co_await waiter->woken.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  state->waiting.remove(waiter);
  co_return std::move(waiter->turn);
}

}  // namespace tributary::lending
