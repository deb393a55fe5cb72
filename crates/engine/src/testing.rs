//! What tests share.

pub(crate) use surefoot_random::Random;
