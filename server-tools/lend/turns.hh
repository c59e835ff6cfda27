#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>

#include "units/session_clock.hh"

namespace tributary::lending {

/// Lets a few do something at once; the others wait, in their order. For one thread.
class Turns {
 public:
  Turns(const boost::asio::any_io_executor& executor, int at_once);

  /// Ends with its last copy, which may outlive the object. Null: it is none.
  using Turn = std::shared_ptr<const void>;
  /// Null: others have all of them.
  Turn try_begin();
  /// Waits for one. Null: there was none within this time.
  boost::asio::awaitable<Turn> begin(Duration at_most);

 private:
  struct State;
  static Turn begun(const std::shared_ptr<State>& state);

  std::shared_ptr<State> state_;
};

}  // namespace tributary::lending
