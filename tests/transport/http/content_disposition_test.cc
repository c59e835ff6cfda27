#include "transport/http/content_disposition.hh"

#include <gtest/gtest.h>

namespace tributary::transport {
namespace {

TEST(ContentDisposition, NamesTheFile) {
  for (const auto& [field, name] : {std::pair{"attachment; filename=film.iso", "film.iso"},
                                    {"attachment; filename=\"a film.iso\"", "a film.iso"},
                                    {"inline;FileName = film.iso ; size=3", "film.iso"},
                                    {R"(attachment; filename="a \"b\"; c.iso"; size=3)", "a \"b\"; c.iso"},
                                    {"attachment; filename=a film.iso; x=y", "a film.iso"},
                                    {"attachment; filename=\"../../etc/passwd\"", "../../etc/passwd"},
                                    {"attachment; filename=\"no end", "no end"}})
    EXPECT_EQ(disposition_file_name(field), name) << field;
}

TEST(ContentDisposition, TheExtendedNameIsTheBetterOne) {
  for (const auto& [field, name] :
       {std::pair{"attachment; filename=\"EURO.iso\"; filename*=UTF-8''%e2%82%AC%20rates.iso", "€ rates.iso"},
        {"attachment; filename*=utf-8'de'%c3%a4.iso; filename=a.iso", "ä.iso"},
        {"attachment; filename*=ISO-8859-1''%e4.iso", "ä.iso"},
        {"attachment; filename=a.iso; filename*=UTF-8''%e4.iso", "a.iso"},
        {"attachment; filename=a.iso; filename*=UTF-8''%4", "a.iso"},
        {"attachment; filename=a.iso; filename*=KOI8-R''%e4.iso", "a.iso"},
        {"attachment; filename=a.iso; filename*=b.iso", "a.iso"}})
    EXPECT_EQ(disposition_file_name(field), name) << field;
}

TEST(ContentDisposition, BytesThatAreNoUtf8AreLatin1) {
  EXPECT_EQ(disposition_file_name("attachment; filename=\"\xe4.iso\""), "ä.iso");
  EXPECT_EQ(disposition_file_name("attachment; filename=\"ä.iso\""), "ä.iso");
}

TEST(ContentDisposition, WithoutANameThereIsNone) {
  for (const char* field : {"", ";", "attachment", "filename=film.iso", "attachment; filename", "attachment; filename=",
                            "attachment; filename=\"", "attachment; x=\"filename=y\"", "attachment; =a; ;;"})
    EXPECT_EQ(disposition_file_name(field), "") << field;
}

}  // namespace
}  // namespace tributary::transport
