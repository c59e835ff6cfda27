# cmake -D OUTPUT=page_texts.hh -D HLS_JS_FILE=FILE -D DASH_JS_FILE=FILE -P page_texts.cmake: the files of the page as
# constants. An empty FILE has no text.
set(PAGE_HTML_FILE ${CMAKE_CURRENT_LIST_DIR}/index.html)
set(PAGE_CSS_FILE ${CMAKE_CURRENT_LIST_DIR}/page.css)
set(PAGE_JS_FILE ${CMAKE_CURRENT_LIST_DIR}/page.js)
foreach(name PAGE_HTML PAGE_CSS PAGE_JS HLS_JS DASH_JS)
  set(${name})
  if(${name}_FILE)
    file(READ "${${name}_FILE}" ${name})
  endif()
  string(FIND "${${name}}" ")of_the_page\"" end)
  if(NOT end EQUAL -1)
    message(FATAL_ERROR "${${name}_FILE}: contains the end of a string of page_texts.hh.in")
  endif()
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/page_texts.hh.in ${OUTPUT} @ONLY)
file(TOUCH ${OUTPUT})  # it is newer than its sources, even if it is the same as before
