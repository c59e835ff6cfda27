#include "player/picture/frame_mailbox.hh"

namespace tributary::play {

FrameMailbox::~FrameMailbox() { shared_->arrived = nullptr; }

std::function<void(GstSample*)> FrameMailbox::slot() {
  return [shared = shared_](GstSample* frame) {
    Sample mine{gst_sample_ref(frame)};
    {
      const std::lock_guard alone{shared->mutex};
      std::swap(shared->latest, mine);
    }
    if (mine) return;  // the main loop has been told already
    g_idle_add_full(G_PRIORITY_DEFAULT, &FrameMailbox::call_arrived, new std::shared_ptr<Shared>{shared},
                    [](gpointer data) { delete static_cast<std::shared_ptr<Shared>*>(data); });
  };
}

int FrameMailbox::call_arrived(void* shared) {
  const auto& arrived = (*static_cast<std::shared_ptr<Shared>*>(shared))->arrived;
  if (arrived) arrived();
  return G_SOURCE_REMOVE;
}

Sample FrameMailbox::take() {
  const std::lock_guard alone{shared_->mutex};
  return std::move(shared_->latest);
}

}  // namespace tributary::play
