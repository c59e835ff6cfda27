#include "hls/lines/attribute_list.hh"

#include <gtest/gtest.h>

#include "hls/lines/playlist_variables.hh"
#include "support/refusal.hh"

namespace tributary::hls {
namespace {

class AttributeListTest : public ::testing::Test {
 protected:
  AttributeList read(std::string_view value) {
    line_ = {7, "EXT-X-MEDIA", value};
    return AttributeList{line_, variables_};
  }

  PlaylistVariables outside_;
  VariableScope variables_{outside_};
  PlaylistLine line_;
};

template <typename Call>
std::string refusal_of(Call call) {
  return testing::refusal_by<PlaylistError>(call);
}

TEST_F(AttributeListTest, CommasAndEqualsSignsMayStandInQuotations) {
  const AttributeList attributes = read(R"(CODECS="avc1.4d401e,mp4a.40.2",URI="a?b=c,d",BANDWIDTH=5,E="")");
  EXPECT_EQ(attributes.text("CODECS"), "avc1.4d401e,mp4a.40.2");
  EXPECT_EQ(attributes.text("URI"), "a?b=c,d");
  EXPECT_EQ(attributes.text("BANDWIDTH"), "5");
  EXPECT_TRUE(attributes.has("E"));
  EXPECT_EQ(attributes.text("E"), "");
  EXPECT_FALSE(attributes.has("F"));
}

TEST_F(AttributeListTest, BlanksAroundCommasAndWordsWithoutValueAreLetPass) {
  const AttributeList attributes = read(R"( AUTOSELECT=YES, DEFAULT = YES ,,word, NAME= "a" tail,LAST=x,)");
  EXPECT_TRUE(attributes.yes("AUTOSELECT"));
  EXPECT_TRUE(attributes.yes("DEFAULT"));
  EXPECT_EQ(attributes.text("NAME"), "a");
  EXPECT_EQ(attributes.text("LAST"), "x");
  EXPECT_FALSE(attributes.has("word"));
  EXPECT_FALSE(read("").has(""));
}

TEST_F(AttributeListTest, TheFirstOfTwoCounts) { EXPECT_EQ(read("A=1,A=2").text("A"), "1"); }

TEST_F(AttributeListTest, AWordInQuotationMarksIsAnotherValue) {
  EXPECT_TRUE(read("CLOSED-CAPTIONS=NONE").is_word("CLOSED-CAPTIONS", "NONE"));
  EXPECT_FALSE(read("CLOSED-CAPTIONS=\"NONE\"").is_word("CLOSED-CAPTIONS", "NONE"));
}

TEST_F(AttributeListTest, AQuotationWithoutEndEndsWithItsAttribute) {
  EXPECT_EQ(read("NAME=\"a,URI=b").text("NAME"), "a");
  EXPECT_EQ(read("NAME=\"a,URI=b").text("URI"), "b");
}

TEST_F(AttributeListTest, AHintThatCannotBeReadIsNone) {
  EXPECT_EQ(read("R=1x2").hint("R", extent), (Extent{1, 2}));
  EXPECT_EQ(read("R=big").hint("R", extent), std::nullopt);
  EXPECT_EQ(read("").hint("R", extent), std::nullopt);
}

TEST_F(AttributeListTest, AStrictValueIsRefusedWithItsPlace) {
  EXPECT_EQ(read("").strict("IV", block, "a number"), std::nullopt);
  EXPECT_EQ(refusal_of([&] { read("IV=?").strict("IV", block, "a number"); }),
            "line 7, EXT-X-MEDIA: IV=\"?\" is not a number");
  EXPECT_EQ(refusal_of([&] { read("").required("B", whole_number, "a number"); }), "line 7, EXT-X-MEDIA: B is missing");
  EXPECT_EQ(read("B=9").required("B", whole_number, "a number"), 9u);
}

}  // namespace
}  // namespace tributary::hls
