// The namespace of the library's headers.
#pragma once

/// Users see what is in it as `sassafras`. Within the library it is not inline, as the simulator has an Error and a
/// Result of its own there. Its number is that of the library's soname: a program compiled with one does not link
/// another.
#ifdef SASSAFRAS_LIBRARY_SOURCE
#define SASSAFRAS_VERSIONED v0
#else
#define SASSAFRAS_VERSIONED inline v0
#endif
