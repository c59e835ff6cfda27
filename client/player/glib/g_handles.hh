#pragma once

#include <gio/gio.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "system/glib_handles.hh"

namespace tributary::play {

/// Owns one reference to a GObject.
template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(const Ref& other) : object_{other.object_} { add(); }
  Ref(Ref&& other) noexcept : object_{std::exchange(other.object_, nullptr)} {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) g_object_unref(object_);
  }

  /// Takes over the caller's reference ("transfer full").
  static Ref take(T* object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Adds a reference; sinks a floating one.
  static Ref share(T* object) {
    if (object != nullptr) g_object_ref_sink(object);
    return take(object);
  }

  T* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  void add() {
    if (object_ != nullptr) g_object_ref(object_);
  }
  T* object_ = nullptr;
};

/// The text; "" for null.
inline std::string text_of(const char* text) { return text == nullptr ? std::string{} : std::string{text}; }

/// Connects handlers to signals, and disconnects them at its end.
class Signals {
 public:
  Signals() = default;
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() { clear(); }

  /// The signature is that of the C callback without its last argument.
  template <typename Signature>
  void on(gpointer instance, const char* signal, std::function<Signature> handler) {
    using Call = Trampoline<Signature>;
    const gulong id =
        g_signal_connect_data(instance, signal, G_CALLBACK(&Call::call),
                              new std::function<Signature>(std::move(handler)), &Call::release, G_CONNECT_DEFAULT);
    connections_.push_back({Ref<GObject>::share(G_OBJECT(instance)), id});
  }
  void on_notify(gpointer instance, const char* property, std::function<void()> handler) {
    on<void(GObject*, GParamSpec*)>(instance, (std::string{"notify::"} + property).c_str(),
                                    [handler = std::move(handler)](GObject*, GParamSpec*) { handler(); });
  }
  void clear() {
    for (const Connection& connection : connections_) {
      if (g_signal_handler_is_connected(connection.instance.get(), connection.id)) {
        g_signal_handler_disconnect(connection.instance.get(), connection.id);
      }
    }
    connections_.clear();
  }

 private:
  template <typename Signature>
  struct Trampoline;
  template <typename Result, typename... Arguments>
  struct Trampoline<Result(Arguments...)> {
    using Handler = std::function<Result(Arguments...)>;
    static Result call(Arguments... arguments, gpointer handler) {
      return (*static_cast<Handler*>(handler))(arguments...);
    }
    static void release(gpointer handler, GClosure*) { delete static_cast<Handler*>(handler); }
  };
  struct Connection {
    Ref<GObject> instance;
    gulong id;
  };
  std::vector<Connection> connections_;
};

/// Calls a function from the main loop, periodically or once. Its end stops the calls.
class Timer {
 public:
  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { stop(); }

  void every(guint milliseconds, std::function<void()> call) { start(milliseconds, std::move(call), true); }
  void once(guint milliseconds, std::function<void()> call) { start(milliseconds, std::move(call), false); }
  void stop() {
    if (source_ != 0) g_source_remove(std::exchange(source_, 0));
  }
  bool running() const { return source_ != 0; }

 private:
  void start(guint milliseconds, std::function<void()> call, bool repeat) {
    stop();
    call_ = std::move(call);
    repeat_ = repeat;
    source_ = g_timeout_add(milliseconds, &Timer::fire, this);
  }
  static gboolean fire(gpointer self) {
    auto* timer = static_cast<Timer*>(self);
    if (!timer->repeat_) timer->source_ = 0;
    const std::function<void()> call = timer->call_;  // a copy, because the call may restart the timer
    const bool repeat = timer->repeat_;
    call();
    return repeat ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
  }

  guint source_ = 0;
  bool repeat_ = false;
  std::function<void()> call_;
};

}  // namespace tributary::play
