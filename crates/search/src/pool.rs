//! Threads of a search.

use crate::error::SearchError;

/// Threads of a search. One thread, and a build for wasm, needs none.
pub(crate) struct Pool {
    #[cfg(not(target_family = "wasm"))]
    pool: Option<rayon::ThreadPool>,
}

#[cfg(not(target_family = "wasm"))]
impl Pool {
    /// Starts `threads` threads, at most `most`. 0 starts one for each core.
    pub(crate) fn new(threads: usize, most: usize) -> Result<Pool, SearchError> {
        if threads == 1 {
            return Ok(Pool { pool: None });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.min(most)).build();
        Ok(Pool { pool: Some(pool.map_err(|_| SearchError::Threads { threads })?) })
    }

    pub(crate) fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Calls `work` with each share, at the same time.
    pub(crate) fn for_each_share<T: Send>(&self, shares: Vec<T>, work: impl Fn(T) + Send + Sync) {
        use rayon::prelude::*;
        match &self.pool {
            None => shares.into_iter().for_each(work),
            Some(pool) => pool.install(|| shares.into_par_iter().for_each(work)),
        }
    }
}

#[cfg(target_family = "wasm")]
impl Pool {
    pub(crate) fn new(_threads: usize, _most: usize) -> Result<Pool, SearchError> {
        Ok(Pool {})
    }

    pub(crate) fn threads(&self) -> usize {
        1
    }

    pub(crate) fn for_each_share<T>(&self, shares: Vec<T>, work: impl Fn(T)) {
        shares.into_iter().for_each(work);
    }
}
