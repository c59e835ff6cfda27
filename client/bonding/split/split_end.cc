#include "bonding/split/split_end.hh"

#include <algorithm>
#include <variant>

#include "bonding/scheduling/send_vector.hh"
#include "units/overloaded.hh"

namespace tributary::bonding {
namespace {

constexpr std::size_t kPiece = 16'000;
constexpr int kVectorLength = 100;
constexpr std::size_t kMostControl = 10'000;  // messages; a peer that takes none away gets no answer

}  // namespace

SplitRule split_rule(std::string_view scheduler) {
  return scheduler == "send-vector" ? SplitRule::kSendVector : SplitRule::kFirstWithRoom;
}

// ---- Links

void SplitEnd::link_up(PathId link) {
  links_.try_emplace(link);
  vector_.clear();
  for (auto& [id, stream] : streams_) {
    stream.in.tell_again();
    tell_progress(id, stream);
  }
}

void SplitEnd::link_down(PathId link) {
  links_.erase(link);
  vector_.clear();
  for (auto& [id, stream] : streams_) {
    stream.out.link_lost(link);
    stream.in.tell_again();
    tell_progress(id, stream);
  }
}

void SplitEnd::rate_of(PathId link, DataRate rate) {
  const auto found = links_.find(link);
  if (found != links_.end()) found->second.rate = rate;
}

bool SplitEnd::is_turn_of(PathId link) const {
  return rule_ == SplitRule::kFirstWithRoom || vector_.empty() || vector_[turn_] == link;
}

/// The vector is made anew at its end, and when links come or go: rates change all the time, and a vector that began anew with
/// each would give most turns to its first places. Until all rates are known, it is one turn for each link.
void SplitEnd::turn_taken() {
  if (rule_ == SplitRule::kFirstWithRoom) return;
  if (!vector_.empty() && ++turn_ < vector_.size()) return;
  std::vector<double> weights;
  std::vector<PathId> links;
  const bool all_known = std::ranges::all_of(links_, [](const auto& entry) { return entry.second.rate.has_value(); });
  for (const auto& [id, link] : links_) {
    links.push_back(id);
    weights.push_back(all_known ? std::max(link.rate->bits_per_second(), 1.0) : 1.0);
  }
  vector_.clear();
  const int length = all_known ? kVectorLength : static_cast<int>(links_.size());
  for (const int place : send_vector(length, weights)) vector_.push_back(links[static_cast<std::size_t>(place)]);
  turn_ = 0;
}

bool SplitEnd::has_for(PathId link) const {
  if (!control_.empty()) return true;
  const bool any = std::ranges::any_of(streams_, [](const auto& entry) { return entry.second.out.has_next(); });
  if (any && is_turn_of(link)) return true;
  return std::ranges::any_of(streams_, [&](const auto& entry) { return may_send_again(entry.second, link); });
}

std::optional<Bytes> SplitEnd::next(PathId link) {
  if (!control_.empty()) {
    Bytes message = std::move(control_.front());
    control_.pop_front();
    return message;
  }
  if (auto piece = next_piece(link)) return piece;
  return piece_again(link);
}

/// One stream after another.
std::optional<Bytes> SplitEnd::next_piece(PathId link) {
  if (!is_turn_of(link)) return std::nullopt;
  auto stream = last_served_ ? streams_.upper_bound(*last_served_) : streams_.begin();
  for (std::size_t tried = 0; tried < streams_.size(); ++tried, ++stream) {
    if (stream == streams_.end()) stream = streams_.begin();
    const auto data = stream->second.out.next(link, kPiece);
    if (!data) continue;
    last_served_ = stream->first;
    again_.sent_once(size_of(data->bytes));
    turn_taken();
    return write_stream_message(*data);
  }
  return std::nullopt;
}

/// The stream waits for what another link owes, and for nothing else.
bool SplitEnd::may_send_again(const Stream& stream, PathId link) const {
  return !stream.out.has_next() && again_.left() >= DataSize{static_cast<std::int64_t>(kPiece)} &&
         stream.out.has_again(link);
}

std::optional<Bytes> SplitEnd::piece_again(PathId link) {
  for (auto& [id, stream] : streams_) {
    if (!may_send_again(stream, link)) continue;
    const auto data = stream.out.again(link);
    if (!data) continue;
    again_.spend(size_of(data->bytes));
    return write_stream_message(*data);
  }
  return std::nullopt;
}

// ---- What the peer sends

bool SplitEnd::arrived(ByteSpan plain) {
  const auto message = read_stream_message(plain);
  if (!message) return false;
  return std::visit(Overloaded{
                        [&](const StreamData& data) { return take_data(data); },
                        [&](const StreamProgress& progress) {
                          take_progress(progress);
                          return true;
                        },
                        [&](const StreamReset& reset) {
                          take_reset_of(reset.stream);
                          return true;
                        },
                    },
                    *message);
}

/// A stream of the client that is new here; nothing for one that has ended, or too many.
SplitEnd::Stream* SplitEnd::accept(StreamId id) {
  const auto number = static_cast<std::uint64_t>(id);
  if (role_ == SplitRole::kClient || streams_.size() == kMostStreams || !accepted_.is_fresh(number)) return nullptr;
  accepted_.accept(number);
  return &streams_.emplace(id, Stream{.out = SentStream{id, std::nullopt}, .opened = false}).first->second;
}

bool SplitEnd::take_data(const StreamData& data) {
  Stream* stream = find(data.stream);
  if (stream == nullptr) stream = accept(data.stream);
  if (stream == nullptr) {
    if (control_.size() < kMostControl) control_.push_back(write_stream_message(StreamReset{data.stream}));
    return true;
  }
  if (!stream->in.arrived(data)) return false;
  if (data.destination && !std::exchange(stream->opened, true)) opened_.push_back({data.stream, *data.destination});
  if (stream->opened) changed_.insert(data.stream);
  tell_progress(data.stream, *stream);
  return true;
}

void SplitEnd::take_progress(const StreamProgress& progress) {
  Stream* const stream = find(progress.stream);
  if (stream == nullptr) return;
  stream->out.progressed(progress.received, progress.limit);
  changed_.insert(progress.stream);
  forget_if_done(progress.stream);
}

/// The peer knows the stream no more. That is no loss where all was said: it has what it is asked for again.
void SplitEnd::take_reset_of(StreamId id) {
  Stream* const stream = find(id);
  if (stream == nullptr) return;
  if (stream->in.complete() && stream->out.all_sent()) {
    stream->out.progressed(~std::uint64_t{}, 0);
    return forget_if_done(id);
  }
  streams_.erase(id);
  reset_.push_back(id);
}

std::size_t SplitEnd::window() const {
  return std::min(kWindow, kMostWaiting / std::max<std::size_t>(streams_.size(), 1));
}

void SplitEnd::tell_progress(StreamId id, Stream& stream) {
  if (const auto progress = stream.in.progress(id, window())) control_.push_back(write_stream_message(*progress));
}

void SplitEnd::forget_if_done(StreamId id) {
  const Stream* const stream = find(id);
  if (stream != nullptr && stream->out.done() && stream->in.finished()) streams_.erase(id);
}

// ---- Streams of this machine

SplitEnd::Stream* SplitEnd::find(StreamId stream) {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : &found->second;
}

const SplitEnd::Stream* SplitEnd::find(StreamId stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : &found->second;
}

std::optional<StreamId> SplitEnd::open(const PeerAddress& to) {
  if (streams_.size() == kMostStreams) return std::nullopt;
  const auto id = static_cast<StreamId>(next_stream_++);
  Stream& stream = streams_.emplace(id, Stream{.out = SentStream{id, to}}).first->second;
  tell_progress(id, stream);
  return id;
}

std::size_t SplitEnd::room(StreamId id) const {
  const Stream* const stream = find(id);
  return stream == nullptr ? 0 : window() - std::min(window(), stream->out.kept());
}

void SplitEnd::send(StreamId id, ByteSpan bytes) {
  if (Stream* const stream = find(id)) stream->out.add(bytes);
}

void SplitEnd::end(StreamId id) {
  if (Stream* const stream = find(id)) stream->out.end();
}

void SplitEnd::reset(StreamId id) {
  if (streams_.erase(id) > 0) control_.push_back(write_stream_message(StreamReset{id}));
}

Bytes SplitEnd::receive(StreamId id, std::size_t most) {
  Stream* const stream = find(id);
  if (stream == nullptr) return {};
  Bytes bytes = stream->in.take(most);
  tell_progress(id, *stream);
  forget_if_done(id);
  return bytes;
}

bool SplitEnd::has_bytes(StreamId id) const {
  const Stream* const stream = find(id);
  return stream != nullptr && stream->in.has_bytes();
}

bool SplitEnd::finished(StreamId id) const {
  const Stream* const stream = find(id);
  return stream == nullptr || stream->in.finished();
}

}  // namespace tributary::bonding
