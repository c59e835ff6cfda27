#pragma once

#include <glib.h>

#include <functional>
#include <memory>

#include "units/session_clock.hh"

namespace tributary {

/// The GLib main context of the thread that makes the object. Other threads post calls to it; calls that are still
/// waiting when the object ends are never made.
class MainContext {
 public:
  MainContext();
  ~MainContext();
  MainContext(const MainContext&) = delete;
  MainContext& operator=(const MainContext&) = delete;

  /// May be called from any thread. The context makes the calls in the order of posting.
  void post(std::function<void()> act) const;
  GMainContext* get() const { return context_; }

 private:
  GMainContext* context_;
  std::shared_ptr<bool> alive_;  // looked at in the context's thread only
};

/// Calls `act` periodically, in the thread of the context, until the object ends.
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
