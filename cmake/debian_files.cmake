# Run by cpack on what is about to be packed: what Debian wants in each package beside the files of `cmake --install`.
set(source ${CMAKE_CURRENT_LIST_DIR}/..)
file(READ ${source}/LICENSE licence)
string(REGEX REPLACE "^[^\n]*\n\nCopyright[^\n]*\n\n" "" terms "${licence}")
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" holder "${licence}")
set(holder ${CMAKE_MATCH_1})
string(STRIP "${terms}" terms)
string(REGEX REPLACE "\n\n" "\n.\n" terms "${terms}")
string(REPLACE "\n" "\n " terms "${terms}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, if it is set

foreach(package ${CPACK_COMPONENTS_ALL})
  set(share ${CPACK_TEMPORARY_DIRECTORY}/${package}/usr/share)
  set(documents ${share}/doc/${package})
  set(comment)
  if(EXISTS ${documents}/page-players)
    set(comment "Comment: The page of tributary-proxy has hls.js (Apache-2.0) and dash.js (BSD-3-Clause) in it. Their licences\n"
                " are beside this file, in the folder page-players.\n")
    string(CONCAT comment ${comment})
  endif()
  file(WRITE ${documents}/copyright
       "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Tributary\n\n"
       "Files: *\nCopyright: ${holder}\nLicense: Expat\n ${terms}\n${comment}")
  file(WRITE ${documents}/changelog
       "${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * CHANGELOG.md of the sources tells what has changed.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB_RECURSE pages ${share}/man/man*/*)
  execute_process(COMMAND gzip -9nf ${documents}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
  # Debian's zsh looks there for completions of packages.
  if(EXISTS ${share}/zsh/site-functions)
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  endif()
  execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_DIRECTORY}/${package} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
