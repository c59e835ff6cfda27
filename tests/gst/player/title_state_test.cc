#include "gst/player/title_state.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using State = PlayerState;

/// A title that has shown its first picture, and plays.
TitleState playing_title() {
  TitleState title;
  title.built();
  title.shown();
  title.buffered(100);
  title.take_changes(true);
  return title;
}

TEST(TitleState, IsOpeningUntilItsFirstPicture) {
  TitleState title;
  EXPECT_EQ(title.take_changes(true).state, State::kOpening);
  EXPECT_FALSE(title.can_seek());
  title.built();
  title.buffered(100);
  EXPECT_TRUE(title.can_seek());
  const auto built = title.take_changes(true);
  EXPECT_EQ(built.state, std::nullopt);
  EXPECT_EQ(built.playing, std::nullopt);
  title.shown();
  const auto shown = title.take_changes(true);
  EXPECT_EQ(shown.state, State::kPlaying);
  EXPECT_EQ(shown.playing, true);
}

TEST(TitleState, TellsEachChangeOnce) {
  TitleState title = playing_title();
  const auto paused = title.take_changes(false);
  EXPECT_EQ(paused.state, State::kPaused);
  EXPECT_EQ(paused.playing, false);
  const auto again = title.take_changes(false);
  EXPECT_EQ(again.state, std::nullopt);
  EXPECT_EQ(again.playing, std::nullopt);
}

TEST(TitleState, PlaysOnlyWithAFullBuffer) {
  TitleState title = playing_title();
  title.buffered(99);
  const auto low = title.take_changes(true);
  EXPECT_EQ(low.state, State::kBuffering);
  EXPECT_EQ(low.playing, false);
  EXPECT_EQ(title.for_listener(false), State::kPaused);
  title.buffered(100);
  EXPECT_EQ(title.take_changes(true).playing, true);
}

TEST(TitleState, ASeekTakesItBackFromItsEnd) {
  TitleState title = playing_title();
  title.ended();
  EXPECT_TRUE(title.has_ended());
  const auto ended = title.take_changes(true);
  EXPECT_EQ(ended.state, State::kEnded);
  EXPECT_EQ(ended.playing, false);
  title.seeking();
  EXPECT_EQ(title.take_changes(true).state, State::kPlaying);
}

TEST(TitleState, ASeekBeforeTheFirstPictureShowsNone) {
  TitleState title;
  title.built();
  title.seeking();
  EXPECT_FALSE(title.has_shown());
  EXPECT_EQ(title.for_listener(true), State::kOpening);
}

TEST(TitleState, StandsStillUntilTheElementInThePlaceOfAFailedOneHasShownSomething) {
  TitleState title = playing_title();
  title.replaced();
  const auto replaced = title.take_changes(true);
  EXPECT_EQ(replaced.state, std::nullopt);  // the listener is told of a problem, and of no pause
  EXPECT_EQ(replaced.playing, false);
  title.shown();
  EXPECT_EQ(title.take_changes(true).playing, true);
}

TEST(TitleState, ExcusesTheSourceOnceForEachReplacedElement) {
  TitleState title = playing_title();
  EXPECT_FALSE(title.source_ran_into_replaced());
  title.replaced();
  EXPECT_TRUE(title.source_ran_into_replaced());
  EXPECT_FALSE(title.source_ran_into_replaced());
  EXPECT_EQ(title.take_changes(true).playing, false);  // still
  title.replaced();
  EXPECT_TRUE(title.source_ran_into_replaced());
  title.shown();
  EXPECT_FALSE(title.source_ran_into_replaced());
}

TEST(TitleState, LeavesThePipelineOfAFailedTitleAlone) {
  TitleState title = playing_title();
  title.failed();
  EXPECT_FALSE(title.can_seek());
  const auto failed = title.take_changes(true);
  EXPECT_EQ(failed.state, State::kFailed);
  EXPECT_EQ(failed.playing, std::nullopt);
}

TEST(TitleState, PlaysAgainAfterAPauseOfOthers) {
  TitleState title = playing_title();
  title.was_paused();
  EXPECT_FALSE(title.playing());
  EXPECT_EQ(title.take_changes(true).playing, true);
}

}  // namespace
}  // namespace tributary
