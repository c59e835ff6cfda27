#pragma once

#include <glib.h>

#include <functional>
#include <memory>

#include "units/session_clock.hh"

namespace tributary {

/// The GLib main context of the thread that makes this: what other threads have to say is said there. Nothing is called
/// after the end of this.
class MainContext {
 public:
  MainContext();
  ~MainContext();
  MainContext(const MainContext&) = delete;
  MainContext& operator=(const MainContext&) = delete;

  /// From any thread; calls come in the order of posting.
  void post(std::function<void()> act) const;
  GMainContext* get() const { return context_; }

 private:
  GMainContext* context_;
  std::shared_ptr<bool> alive_;  // looked at in the context's thread only
};

/// Calls again and again, in the thread of the context, as long as it lives.
class RepeatedCall {
 public:
  RepeatedCall(const MainContext& context, Duration every, std::function<void()> act);
  ~RepeatedCall();
  RepeatedCall(const RepeatedCall&) = delete;
  RepeatedCall& operator=(const RepeatedCall&) = delete;

 private:
  GSource* source_;
};

}  // namespace tributary
