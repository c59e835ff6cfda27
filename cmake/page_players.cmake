# Fetches the players for the page of tributary-proxy from npm, and their licences beside them: once for each build folder
# and version. What does not have the sum that npm publishes is not taken. Without a network the page has none of them.
set(page_players_folder ${CMAKE_BINARY_DIR}/page-players)

# `file` and `licence`: in the package.
function(fetch_page_player name version sum file licence)
  get_filename_component(leaf ${file} NAME)
  set(fetched ${page_players_folder}/${name}-${version})  # an empty file
  if(EXISTS ${fetched})
    return()
  endif()
  set(archive ${page_players_folder}/${name}.tgz)
  message(STATUS "Fetching ${name} ${version} from npm")
  file(DOWNLOAD https://registry.npmjs.org/${name}/-/${name}-${version}.tgz ${archive} STATUS status INACTIVITY_TIMEOUT 30)
  if(NOT status MATCHES "^0;")
    message(WARNING "${name} could not be fetched (${status}): the page of tributary-proxy is built without it")
    file(REMOVE ${archive})
    return()
  endif()
  file(SHA512 ${archive} found)
  if(NOT found STREQUAL sum)
    file(REMOVE ${archive})
    message(FATAL_ERROR "${name} ${version} of npm has another SHA-512 than it should: ${found}")
  endif()
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${page_players_folder}/${name} PATTERNS package/${file} package/${licence})
  file(RENAME ${page_players_folder}/${name}/package/${licence} ${page_players_folder}/LICENSE-${name})
  file(RENAME ${page_players_folder}/${name}/package/${file} ${page_players_folder}/${leaf})
  file(REMOVE_RECURSE ${page_players_folder}/${name} ${archive})
  file(TOUCH ${fetched})
endfunction()

fetch_page_player(hls.js 1.7.4
  dc697119d3ef4f6607bd060eb7ec8ecd3fc3122a2bfea255348ca51c0efb9207a805375042a8bbd06c1e7cd11498741e346ca30bc53adbe6ebbaa5bf4e99beb6
  dist/hls.min.js LICENSE)
fetch_page_player(dashjs 5.2.1
  6b170998b78909324c2d47d0444ad4241d4a3a253988717e0cc2c173714a7a8c751cf62d1944250ba5e6e4c9babe10544770871cb20f3aac3424322a32d3fe0f
  dist/modern/umd/dash.all.min.js LICENSE.md)
