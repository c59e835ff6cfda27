#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "proxy/server/access.hh"
#include "proxy/server/bell.hh"
#include "proxy/server/exchange.hh"
#include "proxy/server/file_head.hh"
#include "proxy/server/pace.hh"
#include "proxy/server/request_reader.hh"
#include "proxy/server/server_options.hh"
#include "proxy/server/server_thread.hh"

namespace tributary::proxy {

/// What all connections of a server share. Outlives them.
struct ServerParts {
  RequestHandler& handler;
  AccessRules rules;
  ServerLimits limits;
  std::shared_ptr<ServerThread> thread;
};

/// One connection of a player: its requests one after the other, and their answers. Reads ahead while it answers, up to
/// two requests, and so notices when the player goes away. Lives as long as its coroutines do.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::ip::tcp::socket socket, const ServerParts& parts);

  /// To be called once. The connection ends when both have returned.
  boost::asio::awaitable<void> read();
  boost::asio::awaitable<void> answer();
  /// Ends it at once, whatever it does.
  void close();

 private:
  template <typename Result>
  using Awaitable = boost::asio::awaitable<Result>;
  struct Exchange {  // one request and its answer
    FileQuestion question = {};
    std::optional<std::string> page = {};
    std::optional<std::string> if_none_match = {};
    std::optional<std::string> if_range = {};
    bool keep_alive = true;
  };
  class FileReader;
  enum class Then {
    kNext,  // the next request
    kEnd,   // all that was to be sent has been
    kCut,   // the player has gone, or is to notice that something is missing
  };

  Awaitable<std::optional<std::variant<ReceivedRequest, Refusal>>> next_request();
  Awaitable<Then> answer(std::variant<ReceivedRequest, Refusal> received);
  Awaitable<Then> answer_admitted(ReceivedRequest request, Admission admission);
  Awaitable<std::optional<Answer>> handled(Request request);
  Awaitable<Then> send_preflight(Exchange exchange, bool asks_for_local);
  Awaitable<Then> send_text(Exchange exchange, Answer answer);
  Awaitable<Then> send_file(Exchange exchange, Answer answer);
  Awaitable<bool> send_file_body(const FileReader& reader, FileHead head, std::optional<DataRate> rate);
  Awaitable<Then> send_events(Exchange exchange, Answer answer);
  Awaitable<Then> refuse(unsigned status);
  Awaitable<bool> send(std::string_view bytes);
  Awaitable<void> wait_for_the_end();
  static Fields head_fields(const Exchange& exchange, Fields own);
  static void add_connection(Fields& fields, const Exchange& exchange);
  static Then then_of(const Exchange& exchange, bool sent);
  void reset();
  void close_unless_written_by(Bell::Time time);

  boost::asio::ip::tcp::socket socket_;
  const ServerParts& parts_;
  boost::asio::steady_timer write_guard_;
  RequestReader reader_;
  Bell news_;              // bytes, an answer, changes of a file, the end
  Bell room_;              // the reader has been emptied
  bool ended_ = false;     // the player has closed its side, or we have closed ours
  bool discards_ = false;  // what comes now is not read any more
};

}  // namespace tributary::proxy
