#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include "proxy/files/incoming_file.hh"
#include "proxy/pacing/paced_body.hh"
#include "proxy/pacing/player_line.hh"
#include "proxy/requests/fields.hh"
#include "units/byte_range.hh"
#include "units/data_size.hh"

namespace tributary::proxy {

/// A request of a player or page that the server has let in (access.hh): its host, token and form are right.
struct Request {
  std::string method;  // "GET", "HEAD" or "POST"
  std::string target;  // behind the token: "/1/0/film/high/00001.m4s?query"; "/" is the page
  Fields fields = {};
  std::string body;           // of a POST; bounded
  std::stop_token left = {};  // the sender has gone, and waits for no answer

  /// The value of the first field of this name, in any case of letters.
  std::optional<std::string> field(std::string_view name) const { return proxy::field(fields, name); }
};

/// A part of a larger file.
struct FilePart {
  DataSize begin;
  std::optional<DataSize> whole;  // the size of the larger file, if it is known
  bool open = false;              // it goes on to the end of that file, which may not be made yet
};

/// A file that is brought in pieces, each while the player takes the one before, so that little of it is held at a time.
/// Thread-safe. RequestHandler::left() is told of pieces that are not sent to their end.
class FilePieces {
 public:
  static constexpr DataSize kPiece{4'000'000};

  virtual ~FilePieces() = default;
  /// Of the file; nothing if no answer has told it yet.
  virtual std::optional<DataSize> size() const = 0;
  /// Nothing: what was known seems to be wrong.
  virtual void size_is(std::optional<DataSize> size) = 0;
  /// The front of the file: its answer tells the size of the whole (IncomingFile::Progress::whole), or it is the whole.
  virtual std::shared_ptr<IncomingFile> front(DataSize at_most) = 0;
  /// Nobody waits for the piece yet.
  virtual std::shared_ptr<IncomingFile> ahead(ByteRange piece) = 0;
  /// Now the player waits for it.
  virtual void needed(const std::shared_ptr<IncomingFile>& piece) = 0;
};

/// How a body leaves, so that a player measures what links bring and no burst.
struct Pacing {
  /// What all links bring, called by the server's thread.
  PacedBody::Rate rate;
  /// The other answers to that player, of the server's thread; null: they do not matter.
  std::shared_ptr<PlayerLine> line = {};
  DataSize estimate = {};  // of the size of the body
  /// So long the body may wait for others there: until then the player has enough.
  Duration patience = {};
};

/// A body that comes over the links while it is sent, in the order of the file.
struct FileBody {
  std::shared_ptr<IncomingFile> file;  // or it comes in pieces
  std::string content_type;
  std::optional<Pacing> pacing = {};  // nothing: bytes leave at once
  /// Only the range that the request asks for was brought, and `file` begins there. The answer is 206 with all of
  /// `file`.
  std::optional<FilePart> part = {};
  std::shared_ptr<FilePieces> pieces = {};
  bool may_be_kept = false;  // by the player, for an hour: the file does not change
};

/// Text that goes on as long as the connection does (text/event-stream). `begin` is given a function that sends a piece,
/// and can be called from any thread, also after the end; it returns false when the connection has ended. A page that
/// does not read loses its connection.
struct EventStream {
  std::function<void(std::function<bool(std::string piece)> send)> begin;
};

struct Answer {
  unsigned status = 200;
  /// Beside those of the server itself: lengths, ranges, CORS, Connection, Date. What cannot be a field is left out.
  Fields fields = {};
  /// A text with an ETag among its fields is answered with 304 to who has it. A FileBody is answered with 206 if the
  /// request has a Range, else with 200; with the file's status if it fails before a byte has come. If it fails later
  /// the connection ends, so that nobody takes a part for the whole.
  std::variant<std::string, FileBody, EventStream> body = {};
};

/// Answers requests. All calls come in the server's thread, and must not wait.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  /// `done` is called once, from any thread, with the answer; it may outlive the server.
  virtual void handle(Request request, std::function<void(Answer)> done) = 0;
  /// The player left before all that it asked of this file was sent. Also told of an answer that came after the player
  /// had left.
  virtual void left(const std::shared_ptr<IncomingFile>& file) = 0;
  /// The player does not read what it was sent of this file (`reads` is false), or reads on. Before the first call it reads.
  virtual void reads(const std::shared_ptr<IncomingFile>& file, bool reads) = 0;
};

}  // namespace tributary::proxy
