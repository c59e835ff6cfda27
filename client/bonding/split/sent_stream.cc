#include "bonding/split/sent_stream.hh"

#include <algorithm>

namespace tributary::bonding {

bool SentStream::may_cut() const {
  if (last_cut_) return false;
  const bool begins = destination_ && !opened_;
  const bool ends = ended_ && cut_ == waiting_.size();
  return begins || ends || (cut_ < waiting_.size() && end_ < limit_);
}

bool SentStream::has_next() const { return lost_ > 0 || may_cut(); }

StreamData SentStream::data_of(const Piece& piece) const {
  return {id_, piece.offset, piece.bytes, piece.last, piece.opens ? destination_ : std::nullopt};
}

std::optional<StreamData> SentStream::next(PathId link, std::size_t most) {
  if (lost_ > 0) {
    const auto piece = std::ranges::find_if(pieces_, [](const Piece& one) { return !one.link; });
    piece->link = link;
    --lost_;
    return data_of(*piece);
  }
  if (!may_cut()) return std::nullopt;
  const auto allowed = static_cast<std::size_t>(std::min<std::uint64_t>(most, limit_ - std::min(limit_, end_)));
  const std::size_t size = std::min(allowed, waiting_.size() - cut_);
  const auto from = waiting_.begin() + static_cast<std::ptrdiff_t>(cut_);
  Piece piece{.offset = end_, .bytes = Bytes(from, from + static_cast<std::ptrdiff_t>(size)), .link = link};
  cut_ += size;
  if (cut_ == waiting_.size()) {
    waiting_.clear();
    cut_ = 0;
    piece.last = last_cut_ = ended_;
  } else if (constexpr std::size_t kWorthMoving = 1'000'000; cut_ > kWorthMoving) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(cut_));
    cut_ = 0;
  }
  piece.opens = destination_ && !opened_;
  opened_ = true;
  end_ += size;
  kept_ += size;
  pieces_.push_back(std::move(piece));
  return data_of(pieces_.back());
}

bool SentStream::has_again(PathId link) const {
  constexpr int kWorthIt = 3;  // answers that are short come soon anyway
  int owed = 0;
  bool sent_once = false;
  for (const Piece& piece : pieces_) {
    if (!piece.link || *piece.link == link) continue;
    sent_once = sent_once || !piece.twice;
    if (++owed >= kWorthIt && sent_once) return true;
  }
  return false;
}

std::optional<StreamData> SentStream::again(PathId link) {
  const auto piece =
      std::ranges::find_if(pieces_, [&](const Piece& one) { return one.link && *one.link != link && !one.twice; });
  if (piece == pieces_.end()) return std::nullopt;
  piece->twice = true;
  return data_of(*piece);
}

void SentStream::progressed(std::uint64_t received, std::uint64_t limit) {
  received_ = std::max(received_, std::min(received, end_ + (last_cut_ ? 1 : 0)));
  limit_ = std::max(limit_, limit);
  while (!pieces_.empty() && pieces_.front().end() <= received_) {
    kept_ -= pieces_.front().bytes.size();
    if (!pieces_.front().link) --lost_;
    pieces_.pop_front();
  }
}

void SentStream::link_lost(PathId link) {
  for (Piece& piece : pieces_) {
    if (piece.link != link) continue;
    piece.link.reset();
    piece.twice = false;
    ++lost_;
  }
}

}  // namespace tributary::bonding
