//! An exact checker of motion among tiles. It shares no code with what it judges.
