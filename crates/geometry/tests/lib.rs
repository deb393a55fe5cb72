//! The tests beside this are what the package is for.
