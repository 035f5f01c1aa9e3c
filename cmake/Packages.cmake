# Packages for CPack: a .deb that asks Debian 12 for its libraries, and a .tar.gz that brings them all.
# tools/package.sh makes both.
set(CPACK_PACKAGE_NAME tare)
set(CPACK_PACKAGE_VENDOR "the tare authors")
set(CPACK_PACKAGE_CONTACT "the tare authors <tare@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "runs benchmark tasks on language models and weighs the machinery")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "tare runs the tasks of lm-evaluation-harness on language models with llama.cpp inside,
and tells how much of a score belongs to the model and how much to the backend,
its settings and the machine.")
set(CPACK_PACKAGE_FILE_NAME "tare-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
# Both are one file; which components it holds depends on its kind.
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/package_components.cmake")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
get_property(arrow GLOBAL PROPERTY TARE_ARROW_LIBRARY_DIR)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${TARE_LLAMA_LIBRARY_DIR}" ${arrow})
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
# Functions of tasks and models in Python libraries run in its interpreter.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-venv")
include(CPack)
