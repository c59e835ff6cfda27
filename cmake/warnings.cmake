# What the compiler says of our own sources.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow $<$<BOOL:${TRIBUTARY_WARNINGS_ARE_ERRORS}>:-Werror>
                    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wno-c99-extensions)  # in the headers of FFmpeg and graphene
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")  # for ccache
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # a file that others are compiled with looks like a header
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()
