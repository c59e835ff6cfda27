#include "player/desktop/mpris.hh"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>

namespace tributary::play {
namespace {

constexpr const char* kPath = "/org/mpris/MediaPlayer2";
constexpr const char* kRoot = "org.mpris.MediaPlayer2";
constexpr const char* kPlayer = "org.mpris.MediaPlayer2.Player";
constexpr const char* kName = "org.mpris.MediaPlayer2.tributary";
constexpr const char* kTrack = "/org/tributary/Play/track/1";

constexpr const char* kInterfaces = R"(<node>
<interface name="org.mpris.MediaPlayer2">
 <method name="Raise"/><method name="Quit"/>
 <property name="CanQuit" type="b" access="read"/><property name="CanRaise" type="b" access="read"/>
 <property name="Fullscreen" type="b" access="readwrite"/><property name="CanSetFullscreen" type="b" access="read"/>
 <property name="HasTrackList" type="b" access="read"/><property name="Identity" type="s" access="read"/>
 <property name="DesktopEntry" type="s" access="read"/>
 <property name="SupportedUriSchemes" type="as" access="read"/><property name="SupportedMimeTypes" type="as" access="read"/>
</interface>
<interface name="org.mpris.MediaPlayer2.Player">
 <method name="Next"/><method name="Previous"/><method name="Pause"/><method name="PlayPause"/><method name="Stop"/>
 <method name="Play"/><method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
 <method name="SetPosition"><arg name="TrackId" type="o" direction="in"/><arg name="Position" type="x" direction="in"/></method>
 <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
 <signal name="Seeked"><arg name="Position" type="x"/></signal>
 <property name="PlaybackStatus" type="s" access="read"/><property name="LoopStatus" type="s" access="readwrite"/>
 <property name="Rate" type="d" access="readwrite"/><property name="MinimumRate" type="d" access="read"/>
 <property name="MaximumRate" type="d" access="read"/><property name="Metadata" type="a{sv}" access="read"/>
 <property name="Volume" type="d" access="readwrite"/><property name="Position" type="x" access="read"/>
 <property name="CanGoNext" type="b" access="read"/><property name="CanGoPrevious" type="b" access="read"/>
 <property name="CanPlay" type="b" access="read"/><property name="CanPause" type="b" access="read"/>
 <property name="CanSeek" type="b" access="read"/><property name="CanControl" type="b" access="read"/>
</interface>
</node>)";

std::int64_t microseconds(Duration time) { return std::chrono::duration_cast<std::chrono::microseconds>(time).count(); }

/// A time from another program, limited so that sums with it do not overflow.
Duration as_asked(std::int64_t asked) {
  constexpr std::int64_t kMost = std::int64_t{1'000'000} * 3600 * 24 * 365 * 10;
  return std::chrono::microseconds{std::clamp(asked, -kMost, kMost)};
}

const char* status_text(MprisState::Status status) {
  switch (status) {
    case MprisState::Status::kPlaying:
      return "Playing";
    case MprisState::Status::kPaused:
      return "Paused";
    case MprisState::Status::kStopped:
      break;
  }
  return "Stopped";
}

/// Properties with signals when they change. Programs ask for Position instead.
constexpr std::array kTold{"PlaybackStatus", "LoopStatus", "Rate",    "Metadata",  "Volume",
                           "CanPlay",        "CanPause",   "CanSeek", "CanGoNext", "CanGoPrevious"};

}  // namespace

const GDBusInterfaceVTable Mpris::kTable{
    [](GDBusConnection*, const char*, const char*, const char*, const char* method, GVariant* arguments,
       GDBusMethodInvocation* invocation, gpointer self) {
      static_cast<Mpris*>(self)->call(method, arguments);
      g_dbus_method_invocation_return_value(invocation, nullptr);
    },
    [](GDBusConnection*, const char*, const char*, const char*, const char* name, GError**, gpointer self) {
      return static_cast<Mpris*>(self)->property(name);
    },
    [](GDBusConnection*, const char*, const char*, const char*, const char* name, GVariant* value, GError** error,
       gpointer self) -> gboolean {
      if (static_cast<Mpris*>(self)->set_property(name, value)) return TRUE;
      g_set_error(error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS, "%s cannot be that", name);
      return FALSE;
    },
    {}};

Mpris::Mpris(Calls calls) : calls_{std::move(calls)} {
  // A name of its own for each window, so that there may be several.
  name_ = g_bus_own_name(
      G_BUS_TYPE_SESSION, fmt::format("{}.instance{}", kName, getpid()).c_str(), G_BUS_NAME_OWNER_FLAGS_NONE,
      [](GDBusConnection* bus, const char*, gpointer self) { static_cast<Mpris*>(self)->connected(bus); }, nullptr,
      nullptr, this, nullptr);
}

Mpris::~Mpris() {
  if (name_ != 0) g_bus_unown_name(name_);
  for (const guint registration : {root_, player_}) {
    if (registration != 0) g_dbus_connection_unregister_object(bus_.get(), registration);
  }
}

void Mpris::connected(GDBusConnection* bus) {
  if (root_ != 0) return;
  bus_ = Ref<GDBusConnection>::share(bus);
  GDBusNodeInfo* node = g_dbus_node_info_new_for_xml(kInterfaces, nullptr);
  assert(node != nullptr);
  const auto offer = [&](const char* interface) {
    return g_dbus_connection_register_object(bus, kPath, g_dbus_node_info_lookup_interface(node, interface), &kTable,
                                             this, nullptr, nullptr);
  };
  root_ = offer(kRoot);
  player_ = offer(kPlayer);
  g_dbus_node_info_unref(node);
}

void Mpris::call(const std::string& method, GVariant* arguments) {
  if (method == "Raise") calls_.raise();
  if (method == "Quit") calls_.quit();
  if (method == "Play") calls_.play();
  if (method == "Pause") calls_.pause();
  if (method == "PlayPause") calls_.toggle();
  if (method == "Stop") calls_.stop();
  if (method == "Next" && state_.can_go_next) calls_.next();
  if (method == "Previous" && state_.can_go_previous) calls_.previous();
  if (method == "Seek") {
    std::int64_t by = 0;
    g_variant_get(arguments, "(x)", &by);
    calls_.seek(as_asked(by));
  }
  if (method == "SetPosition") {
    const char* track = nullptr;
    std::int64_t to = 0;
    g_variant_get(arguments, "(&ox)", &track, &to);
    const bool in_range = to >= 0 && (!state_.length || to <= microseconds(*state_.length));
    if (track == std::string_view{kTrack} && in_range) calls_.set_position(as_asked(to));
  }
  if (method == "OpenUri") {
    const char* url = nullptr;
    g_variant_get(arguments, "(&s)", &url);
    calls_.open(url);
  }
}

GVariant* Mpris::property(const std::string& name) const {
  const bool open = state_.status != MprisState::Status::kStopped || !state_.url.empty();
  if (name == "CanQuit" || name == "CanRaise" || name == "CanSetFullscreen" || name == "CanControl") {
    return g_variant_new_boolean(TRUE);
  }
  if (name == "HasTrackList") return g_variant_new_boolean(FALSE);
  if (name == "CanGoNext") return g_variant_new_boolean(state_.can_go_next);
  if (name == "CanGoPrevious") return g_variant_new_boolean(state_.can_go_previous);
  if (name == "Fullscreen") return g_variant_new_boolean(state_.fullscreen);
  if (name == "Identity") return g_variant_new_string("Tributary");
  if (name == "DesktopEntry") return g_variant_new_string(TRIBUTARY_PLAY_ID);
  if (name == "SupportedUriSchemes") {
    constexpr std::array<const char*, 6> kSchemes{"http", "https", "tributary", "tributary+http", "file", nullptr};
    return g_variant_new_strv(kSchemes.data(), -1);
  }
  if (name == "SupportedMimeTypes") {
    constexpr std::array<const char*, 4> kTypes{"application/vnd.tributary.index+json", "application/dash+xml",
                                                "application/vnd.apple.mpegurl", nullptr};
    return g_variant_new_strv(kTypes.data(), -1);
  }
  if (name == "PlaybackStatus") return g_variant_new_string(status_text(state_.status));
  if (name == "LoopStatus") return g_variant_new_string(state_.loop ? "Track" : "None");
  if (name == "Rate") return g_variant_new_double(state_.speed);
  if (name == "MinimumRate") return g_variant_new_double(0.5);
  if (name == "MaximumRate") return g_variant_new_double(2);
  if (name == "Metadata") return metadata();
  if (name == "Volume") return g_variant_new_double(state_.volume);
  if (name == "Position") return g_variant_new_int64(microseconds(calls_.position()));
  if (name == "CanPlay" || name == "CanPause") return g_variant_new_boolean(open);
  if (name == "CanSeek") return g_variant_new_boolean(state_.can_seek);
  return nullptr;
}

bool Mpris::set_property(const std::string& name, GVariant* value) {
  if (name == "Fullscreen") calls_.set_fullscreen(g_variant_get_boolean(value) != FALSE);
  if (name == "LoopStatus") {
    const std::string_view status = g_variant_get_string(value, nullptr);
    if (status != "None" && status != "Track" && status != "Playlist") return false;
    calls_.set_loop(status != "None");
  }
  if (name == "Rate") {
    const double rate = g_variant_get_double(value);
    if (std::isnan(rate)) return false;
    if (rate == 0) {  // the specification's way to pause
      calls_.pause();
    } else {
      calls_.set_speed(rate);
    }
  }
  if (name == "Volume") {
    const double volume = g_variant_get_double(value);
    if (std::isnan(volume)) return false;
    calls_.set_volume(volume);
  }
  return true;
}

GVariant* Mpris::metadata() const {
  GVariantBuilder builder;
  g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
  if (!state_.url.empty()) {
    g_variant_builder_add(&builder, "{sv}", "mpris:trackid", g_variant_new_object_path(kTrack));
    g_variant_builder_add(&builder, "{sv}", "xesam:title", g_variant_new_string(state_.title.c_str()));
    g_variant_builder_add(&builder, "{sv}", "xesam:url", g_variant_new_string(state_.url.c_str()));
    if (state_.length) {
      g_variant_builder_add(&builder, "{sv}", "mpris:length", g_variant_new_int64(microseconds(*state_.length)));
    }
  }
  return g_variant_builder_end(&builder);
}

void Mpris::show(const MprisState& state) {
  if (state == state_) return;
  const MprisState before = std::exchange(state_, state);
  if (bus_) emit_changes(before);
}

void Mpris::emit_changes(const MprisState& before) const {
  const auto emit = [&](const char* interface, GVariant* changed) {
    g_dbus_connection_emit_signal(bus_.get(), nullptr, kPath, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                  g_variant_new("(s@a{sv}as)", interface, changed, nullptr), nullptr);
  };
  GVariantBuilder player;
  g_variant_builder_init(&player, G_VARIANT_TYPE_VARDICT);
  for (const char* name : kTold) g_variant_builder_add(&player, "{sv}", name, property(name));
  emit(kPlayer, g_variant_builder_end(&player));
  if (before.fullscreen == state_.fullscreen) return;
  GVariantBuilder root;
  g_variant_builder_init(&root, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add(&root, "{sv}", "Fullscreen", property("Fullscreen"));
  emit(kRoot, g_variant_builder_end(&root));
}

void Mpris::seeked(Duration position) {
  if (!bus_) return;
  g_dbus_connection_emit_signal(bus_.get(), nullptr, kPath, kPlayer, "Seeked",
                                g_variant_new("(x)", microseconds(position)), nullptr);
}

}  // namespace tributary::play
