#include "tunnel/machine/split/split_carrier.hh"

#include <algorithm>
#include <array>
#include <utility>

namespace tributary {
namespace {

using bonding::Bytes, bonding::ByteSpan, bonding::PathId, bonding::PeerAddress, bonding::StreamId;

constexpr std::size_t kFairTurn = 256'000;  // of one connection, until it is the others' turn
constexpr int kRounds = 4;                  // of all links
// Without an acknowledgement; and for a link with long round trips, as long as several of them.
constexpr Duration kSilentFor = std::chrono::milliseconds{300}, kGivenUpAfter = std::chrono::seconds{2};

DataSize size_of(std::size_t bytes) { return DataSize{static_cast<std::int64_t>(bytes)}; }

/// The only bytes that are read before they are looked at.
std::span<std::byte> scratch() {
  static thread_local std::array<std::byte, 64'000> bytes;
  return bytes;
}

/// Writes what the system takes. False: the connection is broken.
bool flush(const TcpSocket& socket, Bytes& out) {
  const auto written = socket.write(out);
  if (!written) return false;
  out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(*written));
  return true;
}

}  // namespace

SplitCarrier::SplitCarrier(Options options, EventLoop& loop)
    : options_{std::move(options)}, loop_{loop}, end_{options_.role, options_.rule} {}

SplitCarrier::~SplitCarrier() {
  while (!links_.empty()) detach(links_.begin()->first);
  while (!locals_.empty()) break_off(locals_.begin()->first);
}

// ---- Links

SplitCarrier::Codec& SplitCarrier::codec_of(PathId link) {
  const auto found = codecs_.find(link);
  if (found != codecs_.end()) return found->second;
  return codecs_
      .emplace(link, Codec{bonding::RecordWriter{options_.connection, link, options_.keys},
                           bonding::RecordReader{options_.keys}})
      .first->second;
}

void SplitCarrier::attach(PathId link, TcpSocket socket) {
  detach(link);
  put(link, Link{.socket = std::move(socket), .out = codec_of(link).writer.write({})});
}

bool SplitCarrier::accept(PathId link, TcpSocket& socket, ByteSpan first, bonding::RecordBuffer& behind) {
  if (!codec_of(link).reader.open(options_.connection, link, first)) return false;
  detach(link);
  put(link, Link{.socket = std::move(socket),
                 .in = std::move(behind),
                 .out = codec_of(link).writer.write({}),
                 .answered = true});
  return true;
}

void SplitCarrier::put(PathId id, Link link) {
  link.socket.connection().keep_little_unsent();
  Link& put = links_.emplace(id, std::move(link)).first->second;
  end_.link_up(id);
  loop_.watch(put.socket.file_descriptor(), [this, id, &put](TimePoint) { read_link(id, put); });
  if (!take_records(id, put)) put.broken = true;
}

void SplitCarrier::detach(PathId link) {
  const auto found = links_.find(link);
  if (found == links_.end()) return;
  loop_.forget(found->second.socket.file_descriptor());
  links_.erase(found);
  end_.link_down(link);
}

bool SplitCarrier::answered(PathId link) const {
  const auto found = links_.find(link);
  return found != links_.end() && found->second.answered;
}

void SplitCarrier::read_link(PathId id, Link& link) {
  for (std::size_t came = 0; came < kFairTurn;) {
    const TcpSocket::Read read = link.socket.read(scratch());
    if (read.state != TcpSocket::State::kOpen) link.broken = true;
    if (read.bytes.empty()) return;
    came += read.bytes.size();
    options_.carried(id, size_of(read.bytes.size()));
    link.in.add(read.bytes);
    if (take_records(id, link)) continue;
    link.broken = true;
    return;
  }
}

/// False: they are not the peer's, or make no sense.
bool SplitCarrier::take_records(PathId id, Link& link) {
  while (const auto sealed = link.in.take()) {
    const auto plain = codec_of(id).reader.open(options_.connection, id, *sealed);
    if (!plain || (!plain->empty() && !end_.arrived(*plain))) return false;
    link.answered = true;
  }
  return true;
}

/// True: it has taken messages, after which other links may have their turn.
bool SplitCarrier::write_link(PathId id, Link& link) {
  std::size_t taken = 0;
  while (taken < kFairTurn) {
    const std::size_t before = link.out.size();
    if (!flush(link.socket, link.out)) {
      link.broken = true;
      break;
    }
    options_.carried(id, size_of(before - link.out.size()));
    if (!link.out.empty() || !link.answered || link.silent) break;
    const auto message = end_.next(id);
    if (!message) break;
    link.out = codec_of(id).writer.write(*message);
    taken += link.out.size();
  }
  return taken > 0;
}

void SplitCarrier::wait_for_room(PathId id, Link& link) {
  const bool waits = !link.out.empty() || (link.answered && !link.silent && end_.has_for(id));
  if (std::exchange(link.wants_to_write, waits) != waits)
    loop_.set_interest(link.socket.file_descriptor(), {.read = true, .write = waits});
}

void SplitCarrier::look() {
  for (auto& [id, link] : links_) {
    const TcpConnection::Progress progress = link.socket.connection().progress();
    if (progress.rate) end_.rate_of(id, *progress.rate);
    const bool silent = progress.silent_for > std::max(kSilentFor, 3 * progress.round_trip);
    if (std::exchange(link.silent, silent) != silent) silent ? end_.link_down(id) : end_.link_up(id);
    // A system tries ever more rarely to send again; a new connection is faster.
    if (progress.silent_for > kGivenUpAfter) link.broken = true;
  }
}

// ---- Connections of this machine

void SplitCarrier::carry(TcpSocket local, const PeerAddress& to) {
  const auto stream = end_.open(to);
  if (stream)
    put_local(*stream, std::move(local));
  else
    local.will_break_off();
}

void SplitCarrier::put_local(StreamId stream, TcpSocket socket) {
  Local& local = locals_.emplace(stream, Local{.socket = std::move(socket)}).first->second;
  loop_.watch(local.socket.file_descriptor(), [this, stream, &local](TimePoint) {
    local.broken = local.broken || local.socket.has_failed();
    read_local(stream, local);
    write_local(stream, local);
  });
}

void SplitCarrier::read_local(StreamId stream, Local& local) {
  std::size_t came = 0;
  while (!local.read_ended && came < kFairTurn) {
    const std::size_t room = std::min(end_.room(stream), scratch().size());
    if (room == 0) break;
    const TcpSocket::Read read = local.socket.read(scratch().first(room));
    end_.send(stream, read.bytes);
    came += read.bytes.size();
    if (read.state == TcpSocket::State::kEnded) {
      local.read_ended = true;
      end_.end(stream);
    }
    if (read.state == TcpSocket::State::kBroken) local.broken = true;
    if (read.bytes.empty()) break;
  }
}

void SplitCarrier::write_local(StreamId stream, Local& local) {
  while (!local.broken) {
    if (!flush(local.socket, local.out)) {
      local.broken = true;
      return;
    }
    if (!local.out.empty() || !end_.has_bytes(stream)) break;
    local.out = end_.receive(stream, kFairTurn);
  }
  if (local.out.empty() && end_.finished(stream) && !std::exchange(local.write_ended, true)) local.socket.end_writing();
  const bool reads = !local.read_ended && end_.room(stream) > 0, waits = !local.out.empty();
  if (reads == local.reads && waits == local.wants_to_write) return;
  local.reads = reads;
  local.wants_to_write = waits;
  loop_.set_interest(local.socket.file_descriptor(), {.read = reads, .write = waits});
}

void SplitCarrier::break_off(StreamId stream) {
  locals_.at(stream).socket.will_break_off();
  end_.reset(stream);
  close_local(stream);
}

void SplitCarrier::close_local(StreamId stream) {
  const auto found = locals_.find(stream);
  if (found == locals_.end()) return;
  loop_.forget(found->second.socket.file_descriptor());
  locals_.erase(found);
}

// ---- After each wake-up

void SplitCarrier::open_streams() {
  for (const bonding::SplitEnd::Opened& opened : end_.take_opened()) {
    auto socket = options_.connect ? options_.connect(opened.to) : std::nullopt;
    if (socket)
      put_local(opened.stream, *std::move(socket));
    else
      end_.reset(opened.stream);
  }
}

void SplitCarrier::move_streams() {
  for (const StreamId stream : end_.take_reset()) {
    const auto local = locals_.find(stream);
    if (local == locals_.end()) continue;
    local->second.socket.will_break_off();
    close_local(stream);
  }
  for (const StreamId stream : end_.take_changed()) {
    const auto local = locals_.find(stream);
    if (local != locals_.end()) write_local(stream, local->second);
  }
  std::vector<StreamId> broken, done;
  for (const auto& [stream, local] : locals_) {
    if (local.broken)
      broken.push_back(stream);
    else if (local.read_ended && local.write_ended)
      done.push_back(stream);
  }
  for (const StreamId stream : broken) break_off(stream);
  for (const StreamId stream : done) close_local(stream);
}

void SplitCarrier::work() {
  open_streams();
  move_streams();
  // What they would take beyond that is for the next wake-up: others have their turn.
  bool any = true;
  for (int round = 0; round < kRounds && any; ++round) {
    any = false;
    for (auto& [id, link] : links_) any = (!link.broken && write_link(id, link)) || any;
  }
  std::vector<PathId> broken;
  for (auto& [id, link] : links_) {
    if (link.broken)
      broken.push_back(id);
    else
      wait_for_room(id, link);
  }
  for (const PathId id : broken) detach(id);
}

}  // namespace tributary
