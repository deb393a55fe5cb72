//! Lists of a file that stop growing, so that no file makes them large.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// The first `N` items of a list, and how many there are.
pub(crate) struct Capped<T, const N: usize> {
    pub(crate) list: Vec<T>,
    pub(crate) count: usize,
}

impl<T, const N: usize> Default for Capped<T, N> {
    fn default() -> Self {
        Capped { list: Vec::new(), count: 0 }
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Capped<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for ListVisitor<T, N> {
    type Value = Capped<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Capped::default();
        while items.list.len() < N
            && let Some(item) = seq.next_element()?
        {
            items.list.push(item);
        }
        items.count = items.list.len();
        while items.list.len() == N && seq.next_element::<IgnoredAny>()?.is_some() {
            items.count += 1;
        }
        Ok(items)
    }
}

/// The first `N` entries of a map in braces as they stand in a file, repeated keys included, and how many there are.
pub(crate) struct CappedPairs<K, V, const N: usize> {
    pub(crate) list: Vec<(K, V)>,
    pub(crate) count: usize,
}

impl<K, V, const N: usize> Default for CappedPairs<K, V, N> {
    fn default() -> Self {
        CappedPairs { list: Vec::new(), count: 0 }
    }
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>, const N: usize> Deserialize<'de> for CappedPairs<K, V, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<K, V, const N: usize>(PhantomData<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>, const N: usize> Visitor<'de> for PairsVisitor<K, V, N> {
    type Value = CappedPairs<K, V, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map in braces")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = CappedPairs::default();
        while entries.list.len() < N
            && let Some(entry) = map.next_entry()?
        {
            entries.list.push(entry);
        }
        entries.count = entries.list.len();
        while entries.list.len() == N && map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            entries.count += 1;
        }
        Ok(entries)
    }
}
