#include "bonding/split/received_stream.hh"

#include <algorithm>

#include "bonding/split/sent_stream.hh"

namespace tributary::bonding {
namespace {

/// Larger ones are worth blocks of their own.
bool joins(const Bytes& block, ByteSpan bytes) {
  constexpr std::size_t kBlock = 16'000;
  return block.size() + bytes.size() <= kBlock;
}

void append(Bytes& block, ByteSpan bytes) { block.insert(block.end(), bytes.begin(), bytes.end()); }

}  // namespace

bool ReceivedStream::arrived(const StreamData& data) {
  const std::uint64_t end = data.offset + data.bytes.size();
  const std::uint64_t allowed = std::max(limit_, SentStream::kFirstLimit);
  if (end > allowed || (end_ && (end > *end_ || (data.last && end != *end_)))) return false;
  if (data.last) {
    if (!early_.empty() && early_.rbegin()->first + early_.rbegin()->second.size() > end) return false;
    if (in_order_ > end) return false;
    end_ = end;
  }
  // Pieces that come again have the bounds they had; what overlaps otherwise is cut.
  std::uint64_t from = std::max(data.offset, in_order_);
  const auto behind = early_.upper_bound(from);
  if (behind != early_.begin()) {
    const auto& [offset, bytes] = *std::prev(behind);
    from = std::max(from, offset + bytes.size());
  }
  const std::uint64_t until = behind == early_.end() ? end : std::min(end, behind->first);
  if (from < until) {
    add_early(from, data.bytes.subspan(from - data.offset, until - from));
  }
  take_in_order();
  return early_.size() <= kMostEarly;
}

/// Behind all that overlaps it.
void ReceivedStream::add_early(std::uint64_t from, ByteSpan bytes) {
  const auto behind = early_.upper_bound(from);
  if (behind != early_.begin()) {
    auto& [offset, before] = *std::prev(behind);
    if (offset + before.size() == from && joins(before, bytes)) return append(before, bytes);
  }
  early_.emplace_hint(behind, from, Bytes(bytes.begin(), bytes.end()));
}

void ReceivedStream::take_in_order() {
  while (!early_.empty() && early_.begin()->first == in_order_) {
    Bytes& first = early_.begin()->second;
    in_order_ += first.size();
    if (!ready_.empty() && joins(ready_.back(), first))
      append(ready_.back(), first);
    else
      ready_.push_back(std::move(first));
    early_.erase(early_.begin());
  }
  ended_ = end_ && in_order_ == *end_;
}

Bytes ReceivedStream::take(std::size_t most) {
  Bytes taken;
  while (!ready_.empty() && taken.size() < most) {
    const Bytes& first = ready_.front();
    const std::size_t size = std::min(most - taken.size(), first.size() - ready_from_);
    const auto from = first.begin() + static_cast<std::ptrdiff_t>(ready_from_);
    taken.insert(taken.end(), from, from + static_cast<std::ptrdiff_t>(size));
    ready_from_ += size;
    if (ready_from_ < first.size()) break;
    ready_.pop_front();
    ready_from_ = 0;
  }
  taken_ += taken.size();
  return taken;
}

std::optional<StreamProgress> ReceivedStream::progress(StreamId stream, std::size_t window) {
  constexpr std::uint64_t kWorthTelling = 64'000;
  const std::uint64_t received = in_order_ + (ended_ ? 1 : 0), limit = std::max(limit_, taken_ + window);
  const bool news = received - told_received_ >= kWorthTelling || limit - limit_ >= window / 4 ||
                    (ended_ && received != told_received_);
  if (told_ && !news) return std::nullopt;
  told_ = true;
  told_received_ = received;
  limit_ = limit;
  return StreamProgress{stream, received, limit};
}

}  // namespace tributary::bonding
