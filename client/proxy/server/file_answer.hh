#pragma once

#include <memory>
#include <optional>

#include "proxy/requests/asked_form.hh"
#include "proxy/server/player_socket.hh"
#include "proxy/server/server_parts.hh"

namespace tributary::proxy {

/// Sends one answer with a FileBody: the head as soon as it can be told, then the bytes as they come. Back-pressure: no
/// piece is asked for before the one in front of it is being sent.
class FileAnswer {
 public:
  /// All references must outlive send().
  FileAnswer(PlayerSocket& socket, const ServerParts& parts, AskedForm& form, Answer answer);

  /// False if not all could be sent; the connection must end then. Takes AskedForm::keep_alive away where the body ends
  /// with the connection.
  boost::asio::awaitable<bool> send();

 private:
  template <typename Result>
  using Awaitable = boost::asio::awaitable<Result>;
  class Reader;

  Awaitable<bool> send_file(std::shared_ptr<IncomingFile> file);
  Awaitable<bool> send_pieces();
  Awaitable<bool> send_pieces_of(DataSize whole, std::shared_ptr<IncomingFile> front);
  Awaitable<bool> send_each_piece(FileHead head, DataSize begin, std::shared_ptr<IncomingFile> piece);
  Awaitable<void> wait_for_a_rate(TimePoint asked);
  Awaitable<void> wait_in_line(const FileHead& head, PlayerLine::Number number, TimePoint asked);
  Awaitable<bool> send_head(const FileHead& head);
  Awaitable<bool> send_body(const Reader& reader, FileHead head);
  std::shared_ptr<IncomingFile> piece_at(DataSize begin, DataSize end);
  bool stands_in_line() const;
  void left(const std::shared_ptr<IncomingFile>& file);

  PlayerSocket& socket_;
  const ServerParts& parts_;
  AskedForm& form_;
  Answer answer_;
  const FileBody body_;
};

}  // namespace tributary::proxy
