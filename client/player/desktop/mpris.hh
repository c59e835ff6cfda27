#pragma once

#include <gio/gio.h>

#include <functional>
#include <optional>
#include <string>

#include "player/glib/g_handles.hh"
#include "units/session_clock.hh"

namespace tributary::play {

/// The playback as the desktop sees it.
struct MprisState {
  enum class Status { kStopped, kPaused, kPlaying };
  Status status = Status::kStopped;
  bool can_seek = false;
  bool fullscreen = false, loop = false;
  bool can_go_next = false, can_go_previous = false;  // in a playlist
  double speed = 1, volume = 1;
  std::string url, title;          // the URL without secrets: every program of the user can read it
  std::optional<Duration> length;  // nothing: live

  bool operator==(const MprisState&) const = default;
};

/// Offers the player on the session bus to media keys, lock screens and playerctl (MPRIS 2.2). Does nothing if there is
/// no bus.
class Mpris {
 public:
  struct Calls {
    std::function<void()> raise, quit, play, pause, toggle, stop, next, previous;
    std::function<void(Duration by)> seek;
    std::function<void(Duration to)> set_position;
    std::function<void(const std::string& url)> open;
    std::function<void(double)> set_speed, set_volume;
    std::function<void(bool)> set_fullscreen, set_loop;
    std::function<Duration()> position;
  };

  explicit Mpris(Calls calls);
  Mpris(const Mpris&) = delete;
  Mpris& operator=(const Mpris&) = delete;
  ~Mpris();

  void show(const MprisState& state);
  void seeked(Duration position);

 private:
  static const GDBusInterfaceVTable kTable;
  void connected(GDBusConnection* bus);
  void call(const std::string& method, GVariant* arguments);
  GVariant* property(const std::string& name) const;  // floating; null for an unknown one
  bool set_property(const std::string& name, GVariant* value);
  GVariant* metadata() const;
  void emit_changes(const MprisState& before) const;

  Calls calls_;
  MprisState state_;
  Ref<GDBusConnection> bus_;
  guint name_ = 0;
  guint root_ = 0, player_ = 0;  // registrations
};

}  // namespace tributary::play
