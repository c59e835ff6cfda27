#include "proxy/server/file_answer.hh"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "proxy/pacing/paced_body.hh"
#include "proxy/requests/byte_ranges.hh"
#include "proxy/requests/response_head.hh"

namespace tributary::proxy {

namespace asio = boost::asio;

namespace {

using Clock = std::chrono::steady_clock;
using Phase = IncomingFile::Phase;

constexpr std::size_t kWriteSize = 65'536;
constexpr DataSize kMostOfAWrite{kWriteSize};
constexpr Duration kLongestStart = std::chrono::milliseconds{300};

TimePoint time_of(Clock::time_point time) {
  return TimePoint{std::chrono::duration_cast<Duration>(time.time_since_epoch())};
}
Clock::time_point time_of(TimePoint time) {
  return Clock::time_point{std::chrono::duration_cast<Clock::duration>(time.time_since_epoch())};
}

std::string chunk_head(std::size_t size) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%zx\r\n", size);
  return text.data();
}

/// The front that tells the size of the file, and has what the request asks for at the front of it.
DataSize front_for(const FileQuestion& question) {
  if (question.head_only) return DataSize{1};
  const auto asked = question.range ? read_range(*question.range) : std::nullopt;
  if (!asked) return FilePieces::kPiece;
  if (asked->first != DataSize{}) return DataSize{1};
  return std::min(asked->last.value_or(FilePieces::kPiece), FilePieces::kPiece - DataSize{1}) + DataSize{1};
}

}  // namespace

/// A file that is being sent: rings the bell when it changes.
class FileAnswer::Reader {
 public:
  Reader(std::shared_ptr<IncomingFile> file, PlayerSocket& socket, const ServerParts& parts)
      : file_{std::move(file)}, listener_{file_->tell(socket.ringer(parts.thread))} {}
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { file_->stop_telling(listener_); }

  const IncomingFile& file() const { return *file_; }
  const std::shared_ptr<IncomingFile>& shared_file() const { return file_; }

 private:
  std::shared_ptr<IncomingFile> file_;
  int listener_;
};

FileAnswer::FileAnswer(PlayerSocket& socket, const ServerParts& parts, AskedForm& form, Answer answer)
    : socket_{socket},
      parts_{parts},
      form_{form},
      answer_{std::move(answer)},
      body_{std::get<FileBody>(std::move(answer_.body))} {}

asio::awaitable<bool> FileAnswer::send() {
  form_.question.part = body_.part;
  // What If-Range names may be another version, unless it is the ETag that is sent (RFC 9110 section 13.1.5).
  const std::optional<std::string> etag = field(answer_.fields, "ETag");
  if (form_.if_range && (form_.if_range != etag || !etag->starts_with('"'))) form_.question.range.reset();
  if (body_.pieces) return send_pieces();
  return send_file(body_.file);
}

/// A file that failed is nobody's any more.
void FileAnswer::left(const std::shared_ptr<IncomingFile>& file) {
  if (file && file->progress().phase != Phase::kFailed) parts_.handler.left(file);
}

asio::awaitable<bool> FileAnswer::send_file(std::shared_ptr<IncomingFile> file) {
  const Reader reader{file, socket_, parts_};
  const TimePoint asked = time_of(Clock::now());
  PlayerLine::Number number = 0;
  if (const auto rate = stands_in_line() ? body_.pacing->rate() : std::nullopt) {
    const DataSize size = file->progress().size.value_or(body_.pacing->estimate);
    number = body_.pacing->line->asked(size, size / *rate, asked);
  }
  std::optional<FileHead> head;
  while (!(head = file_head(file->progress(), form_.question)) && !socket_.ended()) co_await socket_.news.wait();
  bool sent = false;
  if (head) {
    if (number == 0) co_await wait_for_a_rate(asked);
    co_await wait_in_line(*head, number, asked);
    sent = co_await send_head(*head);
    if (sent && head->has_body() && !form_.question.head_only) {
      sent = co_await send_body(reader, *head);
      if (!sent && head->framing == Framing::kClose) socket_.reset();
    }
  }
  // A player that asked for the head wants no more of it.
  if (!sent || form_.question.head_only) left(file);
  co_return sent;
}

/// As long as no link is measured, they bring less than they can, and a player takes the time from the head on for what they
/// bring. Bytes that come meanwhile leave with the head.
asio::awaitable<void> FileAnswer::wait_for_a_rate(TimePoint asked) {
  if (!stands_in_line()) co_return;
  const TimePoint end = asked + kLongestStart;
  while (!body_.pacing->rate() && !socket_.ended() && time_of(Clock::now()) < end)
    co_await socket_.news.wait(time_of(end));
}

bool FileAnswer::stands_in_line() const { return body_.pacing && body_.pacing->line && !form_.question.head_only; }

/// A player takes the time from the head to the last byte for what the links bring.
asio::awaitable<void> FileAnswer::wait_in_line(const FileHead& head, PlayerLine::Number number, TimePoint asked) {
  if (number == 0 || !head.end || !head.has_body()) co_return;
  const DataSize size = *head.end - head.begin;
  while (!socket_.ended()) {
    const TimePoint free = std::min(body_.pacing->line->free_at(number, size, asked), asked + body_.pacing->patience);
    if (free <= time_of(Clock::now())) co_return;
    co_await socket_.news.wait(time_of(free));
  }
}

asio::awaitable<bool> FileAnswer::send_head(const FileHead& head) {
  if (head.framing == Framing::kClose) form_.keep_alive = false;
  Fields fields = head_fields(form_, answer_.fields);
  if (head.status < 300 && !body_.content_type.empty()) add_if_missing(fields, "Content-Type", body_.content_type);
  add_if_missing(fields, "Cache-Control",
                 head.status < 300 && body_.may_be_kept ? "private, max-age=3600" : "no-store");
  add_if_missing(fields, "Accept-Ranges", "bytes");
  fields.insert(fields.end(), head.fields.begin(), head.fields.end());
  // The handler's status tells more of a whole file.
  const unsigned status = head.status == 200 && answer_.status != 206 ? answer_.status : head.status;
  const std::string text = response_head(status, fields);
  const bool sent = co_await socket_.send(text);
  co_return sent;
}

/// False if not all could be sent; the connection must end then, since its length or last chunk is missing.
asio::awaitable<bool> FileAnswer::send_body(const Reader& reader, FileHead head) {
  const auto size = head.end ? std::optional{*head.end - head.begin} : std::nullopt;
  const bool in_chunks = head.framing == Framing::kChunks;
  PacedBody paced{body_.pacing ? body_.pacing->rate : nullptr, size};
  std::vector<std::byte> buffer(kWriteSize);
  const auto player_reads = [&](bool reads) { parts_.handler.reads(reader.shared_file(), reads); };
  DataSize next = head.begin;
  while (next != head.end) {
    const IncomingFile::Progress progress = reader.file().progress();
    if (progress.phase == IncomingFile::Phase::kComplete && !head.end) {
      head.end = progress.size;
      continue;
    }
    DataSize ready = std::min({progress.there, head.end.value_or(progress.there), next + kMostOfAWrite}) - next;
    const PacedBody::Leave leave = paced.may_leave(ready, next - head.begin, time_of(Clock::now()));
    ready = leave.size;
    if (ready <= DataSize{}) {
      // Of a file that has failed, the bytes before the failure are sent.
      const bool is_last = progress.phase == IncomingFile::Phase::kFailed && next >= progress.there;
      if (is_last || socket_.ended()) co_return false;
      Bell::Time until = Bell::Time::max();  // not within the call: GCC 12 evaluates both sides of a condition there
      if (leave.again) until = time_of(*leave.again);
      co_await socket_.news.wait(until);
      continue;
    }
    const std::size_t count =
        reader.file().read(next, std::span{buffer}.first(static_cast<std::size_t>(ready.bytes())));
    std::string_view bytes{reinterpret_cast<const char*>(buffer.data()), count};
    bool sent = true;
    if (in_chunks) {
      const std::string chunk = chunk_head(count).append(bytes).append("\r\n");
      sent = co_await socket_.send(chunk, player_reads);
    } else {
      sent = co_await socket_.send(bytes, player_reads);
    }
    if (!sent) co_return false;
    next += DataSize{static_cast<std::int64_t>(count)};
  }
  if (in_chunks) {
    const bool sent = co_await socket_.send("0\r\n\r\n");
    co_return sent;
  }
  co_return true;
}

// ---- Pieces

/// Learns the size of the file first. A file that comes whole all the same is sent as any other.
asio::awaitable<bool> FileAnswer::send_pieces() {
  std::shared_ptr<IncomingFile> front;
  std::optional<DataSize> whole = body_.pieces->size();
  if (!whole) {
    front = body_.pieces->front(front_for(form_.question));
    const Reader reader{front, socket_, parts_};
    bool comes_whole = false;
    while (!whole && !comes_whole && !socket_.ended()) {
      const IncomingFile::Progress progress = front->progress();
      whole = progress.whole;
      comes_whole = file_head(progress, form_.question).has_value();
      if (!whole && !comes_whole) co_await socket_.news.wait();
    }
  }
  bool sent = false;
  if (whole) {
    body_.pieces->size_is(whole);
    sent = co_await send_pieces_of(*whole, front);
  } else {
    sent = co_await send_file(front);
  }
  co_return sent;
}

asio::awaitable<bool> FileAnswer::send_pieces_of(DataSize whole, std::shared_ptr<IncomingFile> front) {
  FileHead head = *file_head({.size = whole, .begun = true}, form_.question);
  bool sent = false;
  if (!head.has_body() || form_.question.head_only) {
    left(front);
    sent = co_await send_head(head);
    co_return sent;
  }
  const DataSize first_end = std::min(head.begin + FilePieces::kPiece, *head.end);
  DataSize begin;  // of the first piece
  if (!front || head.begin > DataSize{} || front->progress().size.value_or(DataSize{}) < first_end) {
    left(front);
    begin = head.begin;
    front = piece_at(begin, *head.end);
    body_.pieces->needed(front);
  }
  {  // the first piece may fail before a byte has come
    const Reader reader{front, socket_, parts_};
    const auto waits = [&](const IncomingFile::Progress& now) { return !now.begun && now.phase == Phase::kComing; };
    while (waits(front->progress()) && !socket_.ended()) co_await socket_.news.wait();
  }
  const IncomingFile::Progress progress = front->progress();
  if (!progress.begun && progress.phase == Phase::kFailed) {
    body_.pieces->size_is(std::nullopt);
    head = *file_head(progress, form_.question);
    sent = co_await send_head(head);
    co_return sent;
  }
  sent = co_await send_head(head);
  if (!sent) {
    left(front);
  } else {
    sent = co_await send_each_piece(head, begin, std::move(front));
  }
  co_return sent;
}

/// `begin`: of the first piece in the file.
asio::awaitable<bool> FileAnswer::send_each_piece(FileHead head, DataSize begin, std::shared_ptr<IncomingFile> piece) {
  bool sent = true;
  while (sent && piece) {
    const Reader reader{piece, socket_, parts_};
    const DataSize piece_end = std::min(begin + FilePieces::kPiece, *head.end);
    const auto ahead = piece_end < *head.end ? piece_at(piece_end, *head.end) : nullptr;
    const FileHead part{.begin = head.begin - begin, .end = piece_end - begin};
    sent = co_await send_body(reader, part);
    if (!sent) {
      if (piece->progress().phase == Phase::kFailed) body_.pieces->size_is(std::nullopt);
      left(piece);
      left(ahead);
    } else if (ahead) {
      body_.pieces->needed(ahead);
    }
    piece = ahead;
    begin = head.begin = piece_end;
  }
  co_return sent;
}

std::shared_ptr<IncomingFile> FileAnswer::piece_at(DataSize begin, DataSize end) {
  return body_.pieces->ahead({begin, std::min(begin + FilePieces::kPiece, end)});
}

}  // namespace tributary::proxy
