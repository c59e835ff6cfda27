#include "player/picture/screenshot.hh"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "system/file_descriptor.hh"

namespace tributary::play {
namespace {

struct Job {
  Ref<GdkTexture> picture;
  std::string folder, name;
  std::function<void(const std::string&, const std::string&)> done;
  std::string path, error;
};

/// Replaces characters that a title may have and a file name may not.
std::string as_file_name(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == '/' || c == ':' || c == '\\'; }, '-');
  constexpr std::size_t kLongest = 120;
  if (text.size() > kLongest) {
    const char* end = g_utf8_find_prev_char(text.c_str(), text.c_str() + kLongest);
    text.resize(end == nullptr ? 0 : static_cast<std::size_t>(end - text.c_str()));
  }
  return text;
}

/// The first free name of its kind. Creates the file at once, so that no other program takes the same name.
std::string take_free_path(const std::string& folder, const std::string& name) {
  constexpr int kTries = 1000;
  for (int i = 1; i < kTries; ++i) {
    const std::string suffix = i == 1 ? "" : fmt::format(" ({})", i);
    const std::string path = std::filesystem::path{folder} / (name + suffix + ".png");
    if (FileDescriptor{open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)}.is_open()) return path;
    if (errno != EEXIST) break;
  }
  return {};
}

void write(GTask*, gpointer, gpointer data, GCancellable*) {
  Job& job = *static_cast<Job*>(data);
  std::error_code failed;
  std::filesystem::create_directories(job.folder, failed);
  job.path = take_free_path(job.folder, job.name);
  if (job.path.empty()) {
    job.error = fmt::format("{}: {}", job.folder, std::strerror(errno));
    return;
  }
  if (gdk_texture_save_to_png(job.picture.get(), job.path.c_str())) return;
  job.error = fmt::format("{}: {}", job.path, std::strerror(errno));
  std::filesystem::remove(job.path, failed);
  job.path.clear();
}

void tell(GObject*, GAsyncResult* result, gpointer) {
  const Job& job = *static_cast<Job*>(g_task_get_task_data(G_TASK(result)));
  job.done(job.path, job.error);
  g_application_release(g_application_get_default());
}

}  // namespace

std::string usual_screenshot_folder() {
  const char* pictures = g_get_user_special_dir(G_USER_DIRECTORY_PICTURES);
  return pictures != nullptr ? pictures : g_get_home_dir();
}

void save_screenshot(const Ref<GdkTexture>& picture, const std::string& folder, const std::string& title,
                     Duration position, std::function<void(const std::string&, const std::string&)> done) {
  auto* job =
      new Job{picture,         folder, fmt::format("{} {}", as_file_name(title), as_file_name(clock_text(position))),
              std::move(done), "",     ""};
  const Ref<GTask> task = Ref<GTask>::take(g_task_new(nullptr, nullptr, tell, nullptr));
  g_task_set_task_data(task.get(), job, [](gpointer data) { delete static_cast<Job*>(data); });
  g_application_hold(g_application_get_default());
  g_task_run_in_thread(task.get(), write);
}

}  // namespace tributary::play
