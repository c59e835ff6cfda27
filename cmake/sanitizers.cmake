# AddressSanitizer and UndefinedBehaviorSanitizer, ThreadSanitizer, and what libFuzzer listens to.
if(TRIBUTARY_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # one runtime for a program and a plugin that it loads
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir OUTPUT_VARIABLE SANITIZER_DIRECTORY
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    add_compile_options(-fsanitize-address-use-after-return=never)  # as with gcc; it takes a quarter of the time
    if(NOT TRIBUTARY_FUZZ)  # libFuzzer brings libstdc++, before a shared runtime that must come first
      add_link_options(-shared-libsan -Wl,-rpath,${SANITIZER_DIRECTORY})
    endif()
    find_program(LLD ld.lld-16)
    if(LLD)  # in a quarter of the time
      add_link_options(-fuse-ld=lld)
    endif()
  endif()
endif()
if(TRIBUTARY_SANITIZE_THREADS)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -O1)
  add_link_options(-fsanitize=thread)
endif()
if(TRIBUTARY_FUZZ)
  # Not -fsanitize=fuzzer-no-link: what it hears of every comparison takes half of the time.
  add_compile_options(-O2 -fsanitize-coverage=inline-8bit-counters,pc-table -Wno-error)
endif()
