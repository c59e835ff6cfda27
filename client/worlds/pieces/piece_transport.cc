#include "worlds/pieces/piece_transport.hh"

#include <algorithm>
#include <utility>

#include "presentation/segment_limits.hh"

namespace tributary {
namespace {

constexpr std::size_t kFilesKept = 4;  // that have come, for pieces that are asked for late

}  // namespace

void PieceTransport::submit(const transport::RangeRequest& request, TimePoint now) {
  const AskedPiece piece = std::exchange(expected_, std::nullopt).value();
  Asked asked{.id = request.id, .piece = piece, .file = file_of(request, now)};
  asked.came_before = asked.file->bytes().size();
  asked_.push_back(std::move(asked));
}

std::shared_ptr<GrowingFile> PieceTransport::file_of(const transport::RangeRequest& request, TimePoint now) {
  const auto known = std::ranges::find_if(files_, [&](const auto& file) { return file->target() == request.target; });
  if (known != files_.end()) return *known;
  auto file = files_.emplace_back(std::make_shared<GrowingFile>(request.target));
  Channel& channel = idle_channel();
  channel.file = file;
  transport::RangeRequest whole = request;
  whole.id = channel.request = std::exchange(next_, next(next_));
  whole.range = {DataSize{}, kLargestSegment};
  whole.file_size.reset();
  whole.open = whole.stands_alone = true;
  whole.largest = whole.longest = kLargestSegment;
  channel.transport->submit(whole, now);
  return file;
}

PieceTransport::Channel& PieceTransport::idle_channel() {
  const auto idle = std::ranges::find(channels_, nullptr, &Channel::file);
  if (idle != channels_.end()) return *idle;
  return channels_.emplace_back(Channel{.transport = connect_(), .file = nullptr});
}

void PieceTransport::close(FailureReason reason, TimePoint now) {
  for (Channel& channel : channels_) channel.transport->close(reason, now);
  end_all(reason, "the connection was given up");
}

void PieceTransport::abandon(TimePoint now) {
  for (Channel& channel : channels_) channel.transport->abandon(now);
  end_all(FailureReason::kAbandoned, "not wanted any more");
}

void PieceTransport::end_all(FailureReason reason, const std::string& detail) {
  for (const Asked& asked : asked_) failed_.push_back({.id = asked.id, .reason = reason, .detail = detail});
  asked_.clear();
  files_.clear();
  for (Channel& channel : channels_) {
    while (channel.transport->next_event()) continue;
    channel.file.reset();
  }
}

void PieceTransport::advance(TimePoint now) {
  for (Channel& channel : channels_) {
    channel.transport->advance(now);
    take_events(channel);
  }
  for (const Asked& asked : asked_) {
    const auto init = inits_.find(asked.piece.track);
    if (init != inits_.end()) asked.file->cut(init->second, asked.piece.lasts, asked.piece.place.count);
  }
  for (const auto& file : files_) file->look();
  forget_old_files();
}

void PieceTransport::take_events(Channel& channel) {
  while (auto event = channel.transport->next_event()) {
    const RequestId of = std::visit([](const auto& e) { return e.id; }, *event);
    if (channel.file == nullptr || of != channel.request) continue;  // it was given up
    answered_ = &channel;
    if (const auto* body = std::get_if<transport::BodyReceived>(&*event)) {
      channel.file->add(body->bytes);
      channel.file->look();
    } else if (std::holds_alternative<transport::RequestDone>(*event)) {
      channel.file->end();
      channel.file.reset();
    } else if (auto* failure = std::get_if<transport::RequestFailed>(&*event)) {
      fail(std::exchange(channel.file, nullptr), std::move(*failure));
    }
  }
}

void PieceTransport::fail(const std::shared_ptr<GrowingFile>& file, transport::RequestFailed failure) {
  std::erase(files_, file);
  std::erase_if(asked_, [&](const Asked& asked) {
    if (asked.file != file) return false;
    failure.id = asked.id;
    failed_.push_back(failure);
    return true;
  });
}

void PieceTransport::forget_old_files() {
  const auto is_asked_for = [&](const auto& file) {
    return std::ranges::any_of(asked_, [&](const Asked& asked) { return asked.file == file; });
  };
  const auto came = [](const auto& file) { return file->ended(); };
  while (std::ranges::count_if(files_, came) > static_cast<std::ptrdiff_t>(kFilesKept)) {
    const auto oldest =
        std::ranges::find_if(files_, [&](const auto& file) { return file->ended() && !is_asked_for(file); });
    if (oldest == files_.end()) return;
    files_.erase(oldest);
  }
}

std::optional<transport::Event> PieceTransport::next_event() {
  if (!failed_.empty()) {
    transport::RequestFailed failed = std::move(failed_.front());
    failed_.pop_front();
    return failed;
  }
  for (auto asked = asked_.begin(); asked != asked_.end(); ++asked) {
    auto event = next_of(*asked);
    if (event && std::holds_alternative<transport::RequestDone>(*event)) asked_.erase(asked);
    if (event) return event;
  }
  return std::nullopt;
}

/// Bytes that are paced, and those behind them, are told apart.
std::optional<transport::Event> PieceTransport::next_of(Asked& asked) const {
  const GrowingFile& file = *asked.file;
  const ChunkCut::Bytes piece = file.piece(asked.piece.place.index);
  const std::size_t at = piece.begin + asked.given;
  if (!asked.began && (at < piece.end || piece.complete)) {
    asked.began = true;
    return transport::ResponseBegan{.id = asked.id};
  }
  if (at >= piece.end)
    return piece.complete ? std::optional<transport::Event>{transport::RequestDone{asked.id}} : std::nullopt;
  std::size_t end = piece.end;
  const bool paced = at < asked.came_before || (at >= file.paced_from() && at < file.paced_to());
  if (at < asked.came_before)
    end = std::min(end, asked.came_before);
  else if (paced)
    end = std::min(end, file.paced_to());
  else if (at < file.paced_from())
    end = std::min(end, file.paced_from());
  const DataSize offset{static_cast<std::int64_t>(asked.given)};
  asked.given += end - at;
  return transport::BodyReceived{asked.id, offset, file.bytes().subspan(at, end - at), paced};
}

std::optional<TimePoint> PieceTransport::next_deadline() const {
  std::optional<TimePoint> next;
  for (const Channel& channel : channels_) {
    const auto due = channel.transport->next_deadline();
    if (due && (!next || *due < *next)) next = due;
  }
  return next;
}

std::optional<RoundTrip> PieceTransport::take_round_trip() {
  return answered_ == nullptr ? std::nullopt : answered_->transport->take_round_trip();
}

}  // namespace tributary
