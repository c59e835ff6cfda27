#include "gst/main_context.hh"

#include <chrono>
#include <utility>

namespace tributary {
namespace {

using Act = std::function<void()>;

/// `source` takes ownership of `act`.
void attach(GSource* source, Act act, gboolean (*call)(gpointer), GMainContext* context) {
  g_source_set_priority(source, G_PRIORITY_DEFAULT);
  g_source_set_callback(source, call, new Act{std::move(act)}, [](gpointer own) { delete static_cast<Act*>(own); });
  g_source_attach(source, context);
}

}  // namespace

MainContext::MainContext() : context_{g_main_context_ref_thread_default()}, alive_{std::make_shared<bool>(true)} {}

MainContext::~MainContext() {
  *alive_ = false;
  g_main_context_unref(context_);
}

void MainContext::post(Act act) const {
  GSource* const source = g_idle_source_new();
  attach(
      source,
      [alive = alive_, act = std::move(act)] {
        if (*alive) act();
      },
      [](gpointer once) -> gboolean {
        (*static_cast<Act*>(once))();
        return G_SOURCE_REMOVE;
      },
      context_);
  g_source_unref(source);
}

RepeatedCall::RepeatedCall(const MainContext& context, Duration every, Act act)
    : source_{g_timeout_source_new(
          static_cast<guint>(std::chrono::duration_cast<std::chrono::milliseconds>(every).count()))} {
  attach(
      source_, std::move(act),
      [](gpointer again) -> gboolean {
        (*static_cast<Act*>(again))();
        return G_SOURCE_CONTINUE;
      },
      context.get());
}

RepeatedCall::~RepeatedCall() {
  g_source_destroy(source_);
  g_source_unref(source_);
}

}  // namespace tributary
