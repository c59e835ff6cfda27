# ccache, and options that targets must share to use the same precompiled headers (precompiled_headers.cmake).
if(TRIBUTARY_PRECOMPILED_HEADERS)  # what some targets need, for all
  set(CMAKE_CXX_COMPILE_OPTIONS_PIE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
  add_compile_options(-pthread)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    add_compile_options(-mfpmath=sse -msse -msse2)
  endif()
endif()
find_program(CCACHE ccache)
if(CCACHE)
  # What precompiled headers need (ccache's manual, "Precompiled headers").
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
