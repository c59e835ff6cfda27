#include "proxy/files/incoming_file.hh"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace tributary::proxy {

namespace {

// Of a file of unknown size: room is made for that many bytes at once (media_bytes.hh).
constexpr std::size_t kRoom = 96'000'000;
// A size is what an origin says. Room is no memory before the bytes are there, and yet it is limited.
constexpr DataSize kReserved{256'000'000};

}  // namespace

void IncomingFile::size_is(DataSize size) {
  assert(size >= DataSize{});
  {
    const std::lock_guard lock{mutex_};
    if (phase_ != Phase::kComing || size_ == size) return;
    size_ = std::max(size, size_of(bytes_));
    bytes_.reserve(static_cast<std::size_t>(std::min(*size_, kReserved).bytes()));
  }
  tell_all();
}

void IncomingFile::is_front_of(DataSize whole) {
  const std::lock_guard lock{mutex_};
  whole_ = whole;
}

void IncomingFile::put(DataSize offset, std::span<const std::byte> bytes) {
  assert(offset >= DataSize{});
  {
    const std::lock_guard lock{mutex_};
    const DataSize end = size_ ? std::min(*size_, offset + size_of(bytes)) : offset + size_of(bytes);
    if (phase_ != Phase::kComing || end <= offset) return;
    if (size_of(bytes_) < end) grow_to(bytes_, static_cast<std::size_t>(end.bytes()), kRoom);
    std::memcpy(bytes_.data() + offset.bytes(), bytes.data(), static_cast<std::size_t>((end - offset).bytes()));
    received_.add({offset, end});
  }
  tell_all();
}

void IncomingFile::complete() {
  {
    const std::lock_guard lock{mutex_};
    if (phase_ != Phase::kComing) return;
    if (!size_) size_ = there();
    assert(there() == *size_ && "a complete file has no gaps");
    phase_ = Phase::kComplete;
  }
  tell_all();
}

void IncomingFile::fail(unsigned status, std::string why) {
  {
    const std::lock_guard lock{mutex_};
    if (phase_ != Phase::kComing) return;
    phase_ = Phase::kFailed;
    status_ = status;
    why_ = std::move(why);
  }
  tell_all();
}

DataSize IncomingFile::there() const {
  const std::vector<ByteRange>& ranges = received_.ranges();
  return ranges.empty() || ranges.front().begin > DataSize{} ? DataSize{} : ranges.front().end;
}

IncomingFile::Progress IncomingFile::progress() const {
  const std::lock_guard lock{mutex_};
  return {.phase = phase_,
          .size = size_,
          .whole = whole_,
          .there = there(),
          .received = received_.size(),
          .begun = received_.size() > DataSize{},
          .status = status_,
          .why = why_};
}

std::size_t IncomingFile::read(DataSize offset, std::span<std::byte> to) const {
  assert(offset >= DataSize{});
  const std::lock_guard lock{mutex_};
  const DataSize end = std::min(there(), offset + size_of(to));
  if (end <= offset) return 0;
  const auto count = static_cast<std::size_t>((end - offset).bytes());
  std::memcpy(to.data(), bytes_.data() + offset.bytes(), count);
  return count;
}

int IncomingFile::tell(std::function<void()> changed) {
  const std::lock_guard lock{listeners_mutex_};
  listeners_.emplace(next_listener_, std::move(changed));
  return next_listener_++;
}

void IncomingFile::stop_telling(int listener) {
  const std::lock_guard lock{listeners_mutex_};
  listeners_.erase(listener);
}

void IncomingFile::tell_all() {
  const std::lock_guard lock{listeners_mutex_};
  for (const auto& [number, changed] : listeners_) changed();
}

}  // namespace tributary::proxy
