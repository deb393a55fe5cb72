//! A row of tiles moves a body bit for bit as one endless edge does.
