use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Rows of a file. Long rows stay in the file's text, so that nothing is copied. Short rows are joined in one text, so
/// that a row costs little more than its characters.
#[derive(Default)]
pub struct RowList<'t> {
    /// Length of each row in bytes.
    lengths: Vec<u32>,
    /// Rows with less than [`MIN_LONG_ROW_BYTES`] bytes, without separators.
    short: String,
    /// The other rows. Rows with escapes are copies.
    long: Vec<Cow<'t, str>>,
    /// Whether any character is not ASCII.
    beyond_ascii: bool,
}

/// Minimum length of a long row in bytes. Its entry here then takes less memory than the row in the file.
const MIN_LONG_ROW_BYTES: u32 = 32;

impl<'t> RowList<'t> {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Returns the number of characters in a row of this list.
    pub fn character_count(&self, row: &str) -> usize {
        if self.beyond_ascii { row.chars().count() } else { row.len() }
    }

    /// Returns the rows from the bottom up.
    pub fn upwards(&self) -> impl Iterator<Item = &str> {
        let (mut short, mut long) = (self.short.as_str(), self.long.iter().rev());
        self.lengths.iter().rev().map(move |&length| {
            if length >= MIN_LONG_ROW_BYTES {
                return long.next().map_or("", |row| row);
            }
            let (above, row) = short.split_at(short.len() - length as usize);
            short = above;
            row
        })
    }

    /// Returns the rows from the top down.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (mut short, mut long) = (self.short.as_str(), self.long.iter());
        self.lengths.iter().map(move |&length| {
            if length >= MIN_LONG_ROW_BYTES {
                return long.next().map_or("", |row| row);
            }
            let (row, below) = short.split_at(length as usize);
            short = below;
            row
        })
    }

    /// Adds a row.
    pub fn push(&mut self, row: Cow<'t, str>) {
        // A text is shorter than 4 GiB, so the length fits into 32 bits.
        let length = row.len() as u32;
        self.beyond_ascii |= !row.is_ascii();
        self.lengths.push(length);
        if length >= MIN_LONG_ROW_BYTES { self.long.push(row) } else { self.short.push_str(&row) }
    }
}

impl<'de: 't, 't> Deserialize<'de> for RowList<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(RowsVisitor(RowList::default()))
    }
}

struct RowsVisitor<'t>(RowList<'t>);

impl<'de: 't, 't> Visitor<'de> for RowsVisitor<'t> {
    type Value = RowList<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RowList<'t>, A::Error> {
        let RowsVisitor(mut rows) = self;
        while seq.next_element_seed(Row(&mut rows))?.is_some() {}
        Ok(rows)
    }
}

/// Reads a row.
struct Row<'a, 't>(&'a mut RowList<'t>);

impl<'de: 't, 't> DeserializeSeed<'de> for Row<'_, 't> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de: 't, 't> Visitor<'de> for Row<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: Error>(self, row: &'de str) -> Result<(), E> {
        self.0.push(Cow::Borrowed(row));
        Ok(())
    }

    fn visit_str<E: Error>(self, row: &str) -> Result<(), E> {
        self.0.push(Cow::Owned(row.to_owned()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows around [`MIN_LONG_ROW_BYTES`], with and without escapes, are equal in both directions.
    #[test]
    fn rows_keep_their_order() {
        let rows: Vec<String> = [31, 0, 33, 32, 5, 32, 100, 1].iter().map(|&n| "\\\u{e4}#".repeat(n / 4)).collect();
        let mut rows: Vec<String> = rows.into_iter().chain(["x".repeat(31), "y".repeat(32), String::new()]).collect();
        for _ in 0..3 {
            let (escaped, raw) =
                (rows.iter().map(|row| format!("{row:?}")), rows.iter().map(|row| format!("r\"{row}\"")));
            for list in [escaped.collect::<Vec<_>>(), raw.collect()] {
                let text = format!("[{}]", list.join(","));
                let list: RowList<'_> = ron::from_str(&text).unwrap();
                assert_eq!(list.len(), rows.len());
                assert_eq!(list.iter().collect::<Vec<_>>(), rows);
                let upwards: Vec<&str> = list.upwards().collect();
                assert_eq!(upwards.into_iter().rev().collect::<Vec<_>>(), rows);
            }
            rows.rotate_left(3);
        }
    }
}
