#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "hls/media_playlist.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Decides when an origin is asked to leave out of a playlist what its last version lists (RFC 8216bis section 6.2.5.1), and
/// keeps that version. An answer that cannot go on from it is in vain: the whole playlist is asked for once. After three in
/// a row, no more are asked for.
class DeltaUpdates {
 public:
  /// The version has been added to what is known.
  void took(hls::MediaPlaylist version) {
    if (version.skipped > 0) in_vain_ = 0;
    wants_all_ = false;
    last_.reset();
    if (version.server_control.can_skip_until) last_ = std::move(version);
  }
  /// The origin has nothing newer.
  void took_nothing() { wants_all_ = false; }
  void was_in_vain() {
    in_vain_ = std::min(in_vain_ + 1, kMostInVain);
    wants_all_ = true;
    last_.reset();
  }

  /// Null: none that may be left out.
  const hls::MediaPlaylist* last() const { return last_ ? &*last_ : nullptr; }
  /// Nothing but the address of the playlist is asked for, as it is after an answer in vain.
  bool wants_all() const { return wants_all_; }
  /// `age`: the time since the last version was asked for.
  bool may_skip(Duration age) const {
    return last_ && in_vain_ < kMostInVain && age <= *last_->server_control.can_skip_until / 2;
  }

 private:
  static constexpr int kMostInVain = 3;

  std::optional<hls::MediaPlaylist> last_;
  bool wants_all_ = false;
  int in_vain_ = 0;  // in a row
};

}  // namespace tributary
