#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <variant>

#include "proxy/requests/access.hh"
#include "proxy/requests/asked_form.hh"
#include "proxy/requests/exchange.hh"
#include "proxy/requests/request_reader.hh"
#include "proxy/server/player_socket.hh"
#include "proxy/server/server_parts.hh"

namespace tributary::proxy {

/// One connection of a player: its requests one after the other, and their answers. Reads ahead while it answers, up to
/// two requests, and so notices when the player goes away. Lives as long as its coroutines do.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, const ServerParts& parts);

  /// To be called once. The connection ends when both have returned.
  boost::asio::awaitable<void> read();
  boost::asio::awaitable<void> answer();
  /// Ends it at once, whatever it does.
  void close() { socket_->close(); }
  /// A request of it was let in (access.hh): its sender knows the token, and is of a user who may.
  bool is_let_in() const { return is_let_in_; }

 private:
  template <typename Result>
  using Awaitable = boost::asio::awaitable<Result>;
  enum class Then {
    kNext,  // the next request
    kEnd,   // all that was to be sent has been
    kCut,   // the player has gone, or is to notice that something is missing
  };

  Awaitable<std::optional<std::variant<ReceivedRequest, Refusal>>> next_request();
  Awaitable<Then> answer(std::variant<ReceivedRequest, Refusal> received);
  std::variant<Admission, Refusal> admitted(const ReceivedRequest& request) const;
  bool is_of_user_who_may() const;
  Awaitable<Then> answer_admitted(ReceivedRequest request, Admission admission);
  Awaitable<std::optional<Answer>> handled(Request request);
  Awaitable<Then> send_preflight(AskedForm form, bool asks_for_local);
  Awaitable<Then> send_text(AskedForm form, Answer answer);
  Awaitable<Then> refuse(unsigned status);
  Awaitable<void> wait_for_the_end();
  static Then then_of(const AskedForm& form, bool sent);

  const std::shared_ptr<PlayerSocket> socket_;
  const ServerParts& parts_;
  RequestReader reader_;
  bool is_let_in_ = false;
  bool discards_ = false;  // what comes now is not read any more
};

}  // namespace tributary::proxy
