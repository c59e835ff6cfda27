#pragma once

#include <gtk/gtk.h>

#include <memory>
#include <string>
#include <vector>

#include "player/desktop/above_others.hh"
#include "player/glib/g_handles.hh"
#include "player/links_panel/links_panel.hh"
#include "player/picture/video_view.hh"
#include "player/widgets/auto_hide.hh"
#include "player/window/control_bar.hh"
#include "player/window/metered_question.hh"
#include "player/window/pages.hh"

namespace tributary::play {

/// The window: the picture, controls that hide, and the links panel beside them. Reports the user's actions by Calls,
/// and knows no player.
class PlayWindow {
 public:
  struct Calls {
    ControlBar::Calls controls;
    LinkRow::Choose use_link;
    MeteredQuestion::Answer answer_metered;
    std::function<void(const std::vector<std::string>& addresses)> open;  // to be played one after the other
    std::function<void()> clicked;                                        // the picture
    std::function<void(double notches)> turned;  // the wheel over the picture; positive: away from the user
    std::function<bool(guint key, GdkModifierType modifiers)> key;
    std::function<void()> closing;
    std::function<void(bool on)> fullscreen_changed;
    std::function<void(bool shown)> links_shown;
    std::function<bool()> may_hide_controls;
  };
  enum class Page { kStart, kVideo, kProblem };

  PlayWindow(GtkApplication* application, Calls calls);
  ~PlayWindow();

  GtkWindow* window() const { return GTK_WINDOW(window_); }
  VideoView& video() { return video_; }
  ControlBar& controls() { return controls_; }
  LinksPanel& links() { return links_; }
  MeteredQuestion& question() { return question_; }
  StartPage& start() { return start_; }
  ProblemPage& problem() { return problem_; }

  void show_page(Page page);
  Page page() const { return page_; }
  /// `place`: that of the title in a playlist; may be empty.
  void set_title(const std::string& title, const std::string& place = "");
  void show_controls() { auto_hide_->show(); }
  void show_links(bool shown);
  void set_fullscreen(bool on);
  bool is_fullscreen() const { return gtk_window_is_fullscreen(window()) != FALSE; }
  void open_menu();
  /// Small in the corner of the eye, above all others, or as before. Nothing where the desktop cannot keep it there.
  void be_small(bool small);
  bool can_be_small() const { return can_stay_above(window()); }
  /// Shows a message for a moment, with a button if `button` is not null. `action`: an action of the window.
  void toast(const std::string& text, const char* button = nullptr, const char* action = nullptr);
  /// Shows a short text and its explanation in a dialog.
  void explain(const std::string& what, const std::string& detail);

 private:
  GtkWidget* content();
  GtkWidget* header();
  GtkWidget* side();
  void take_keys();
  void take_pointer();
  void take_drops();
  void show_chrome(bool shown);
  bool keyboard_is_elsewhere(guint key) const;
  void focus_moved();
  void resized(int width);
  void leave_room_for_subtitles();

  Calls calls_;
  GtkWidget* window_;
  VideoView video_;
  ControlBar controls_;
  LinksPanel links_;
  MeteredQuestion question_;
  StartPage start_;
  ProblemPage problem_;
  GtkWidget *flap_, *toasts_, *stack_, *title_, *menu_, *header_bar_, *header_revealer_, *controls_revealer_;
  std::unique_ptr<AutoHide> auto_hide_;
  Page page_ = Page::kStart;
  GtkWidget* focus_before_menu_ = nullptr;  // a weak pointer
  bool in_menu_ = false;
  int toasts_shown_ = 0;
  int width_before_ = 0, height_before_ = 0;  // it was small
  Timer fit_, click_, give_back_;
  Signals signals_, of_toasts_;
};

}  // namespace tributary::play
