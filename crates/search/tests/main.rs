//! Tests the search on levels. All files are one test program: the search is generic over a game's state, and each
//! program would compile it again.

mod answers;
mod bound;
mod carved;
mod exact;
mod hostile;
mod maps;
mod margins;
mod survey;
