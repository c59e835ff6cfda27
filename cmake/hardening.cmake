# What makes faults end a program.
add_compile_definitions(_GLIBCXX_ASSERTIONS)  # what no sanitizer sees, as the value of an empty optional
if(NOT TRIBUTARY_SANITIZE AND NOT TRIBUTARY_SANITIZE_THREADS)  # a sanitizer checks more than this
  # A fault that nobody has found yet ends the program, and serves nobody (docs/faults.md, "Hardening").
  include(CheckPIESupported)
  check_pie_supported()
  add_compile_options(-fstack-protector-strong
                      "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
  add_link_options(-Wl,-z,relro,-z,now)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-fcf-protection TRIBUTARY_HAS_CF_PROTECTION)  # x86 has it
  if(TRIBUTARY_HAS_CF_PROTECTION)
    add_compile_options(-fcf-protection)
  endif()
endif()
