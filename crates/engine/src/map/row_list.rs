use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;

/// Rows as they stand in a file, in one text: a row costs little more than its characters.
#[derive(Default)]
pub(crate) struct RowList {
    text: String,
    /// Bytes in each row.
    lengths: Vec<u32>,
    /// Whether there is a character that is not ASCII.
    beyond_ascii: bool,
}

impl RowList {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Characters in a row of this list.
    pub(crate) fn characters(&self, row: &str) -> usize {
        if self.beyond_ascii { row.chars().count() } else { row.len() }
    }

    /// The rows from the bottom up.
    pub(crate) fn upwards(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.text.as_str();
        self.lengths.iter().rev().map(move |&length| {
            let (above, row) = rest.split_at(rest.len() - length as usize);
            rest = above;
            row
        })
    }

    /// The rows, from the top down.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.text.as_str();
        self.lengths.iter().map(move |&length| {
            let (row, below) = rest.split_at(length as usize);
            rest = below;
            row
        })
    }
}

impl<'de> Deserialize<'de> for RowList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor)
    }
}

struct RowsVisitor;

impl<'de> Visitor<'de> for RowsVisitor {
    type Value = RowList;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RowList, A::Error> {
        let mut rows = RowList::default();
        while seq.next_element_seed(Row(&mut rows))?.is_some() {}
        Ok(rows)
    }
}

/// Adds a row.
struct Row<'a>(&'a mut RowList);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, row: &str) -> Result<(), E> {
        let length = u32::try_from(row.len()).map_err(|_| E::custom("a row of more than 4 GiB"))?;
        self.0.beyond_ascii |= !row.is_ascii();
        self.0.lengths.push(length);
        self.0.text.push_str(row);
        Ok(())
    }
}
