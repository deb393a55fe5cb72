//! Tile numbers of a layer: as a list, as comma-separated numbers, or as bytes in base64, compressed or not.

use super::DataFile;
use crate::level::cell_count_text;
use base64::DecodeError;
use base64::engine::general_purpose::STANDARD;
use base64::read::DecoderReader;
use std::io::{self, Read};

/// Calls `take` with the index and the tile number of each of `count` cells. All numbers together would take as much
/// memory as the text.
///
/// # Errors
/// Returns the problem and what was expected instead, if the data is broken or has not `count` numbers.
pub(super) fn decode_cells(
    data: DataFile<'_>,
    encoding: &str,
    compression: &str,
    count: usize,
    take: impl FnMut(usize, u32),
) -> Result<(), (String, String)> {
    let mut cells = CountedCells { count, found: 0, take };
    match data {
        DataFile::Numbers(numbers) => numbers.into_iter().for_each(|number| cells.count_number_and_pass_on(number)),
        DataFile::Text(text) => match encoding {
            "csv" => decode_csv(&text, &mut cells)?,
            "base64" => decode_base64(&text, compression, &mut cells)?,
            _ => return Err((format!("the encoding is {encoding:?}"), "\"csv\" or \"base64\"".to_owned())),
        },
    }
    if cells.found == count {
        Ok(())
    } else {
        let more = if cells.found > count { "more than " } else { "" };
        let length = cell_count_text(cells.found.min(count) as u64);
        Err((
            format!("the data has {more}{length}"),
            format!("{}, as width times height", cell_count_text(count as u64)),
        ))
    }
}

/// Cells of a layer or a chunk that are being decoded.
struct CountedCells<F> {
    /// Number of cells that the size asks for.
    count: usize,
    /// Number of cells that were found so far. Decoding ends at one more than `count`.
    found: usize,
    take: F,
}

impl<F: FnMut(usize, u32)> CountedCells<F> {
    /// Passes the number of a cell on, unless all cells have a number already. Counts it in either case.
    fn count_number_and_pass_on(&mut self, number: u32) {
        if self.found < self.count {
            (self.take)(self.found, number);
        }
        self.found += 1;
    }
}

/// Parses tile numbers. Stops at one number too many, as [`read_numbers`] does.
fn decode_csv(text: &str, cells: &mut CountedCells<impl FnMut(usize, u32)>) -> Result<(), (String, String)> {
    let mut rest = text.trim();
    while !rest.is_empty() && cells.found <= cells.count {
        let (word, after) = rest.split_once(',').unwrap_or((rest, ""));
        let number = word.trim().parse();
        let wrong = |_| (format!("cell {} is {:?}", cells.found + 1, word.trim()), "a tile number".to_owned());
        cells.count_number_and_pass_on(number.map_err(wrong)?);
        rest = after;
    }
    Ok(())
}

/// Decodes tile numbers. Stops at one number too many, so that a small text cannot become many bytes.
fn decode_base64(
    text: &str,
    compression: &str,
    cells: &mut CountedCells<impl FnMut(usize, u32)>,
) -> Result<(), (String, String)> {
    // The bytes are decoded in small parts, because all of them take as much memory again as the text.
    let bytes = DecoderReader::new(WithoutSpaces(text.as_bytes()), &STANDARD);
    match compression {
        "" => read_numbers(bytes, cells),
        "zlib" => read_numbers(flate2::read::ZlibDecoder::new(bytes), cells),
        "gzip" => read_numbers(flate2::read::GzDecoder::new(bytes), cells),
        #[cfg(feature = "zstd")]
        "zstd" => match ruzstd::decoding::StreamingDecoder::new(bytes) {
            Ok(decoder) => read_numbers(decoder, cells),
            Err(error) => Err((format!("{error}"), "data compressed with zstd".to_owned())),
        },
        #[cfg(not(feature = "zstd"))]
        "zstd" => Err((
            "the data is compressed with zstd".to_owned(),
            "zlib, gzip or none; the feature `zstd` of surefoot-import reads zstd".to_owned(),
        )),
        _ => Err((format!("the compression is {compression:?}"), "\"zlib\", \"gzip\", \"zstd\" or none".to_owned())),
    }
}

/// Reads the bytes of a text without its spaces and line ends.
struct WithoutSpaces<'a>(&'a [u8]);

impl Read for WithoutSpaces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0 = self.0.trim_ascii_start();
        let near = &self.0[..buffer.len().min(self.0.len())];
        let count = near.iter().position(u8::is_ascii_whitespace).unwrap_or(near.len());
        buffer[..count].copy_from_slice(&near[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

/// Reads tile numbers of four bytes each. Stops at one number too many, which is enough to report too many cells.
fn read_numbers(
    mut decoder: impl Read,
    cells: &mut CountedCells<impl FnMut(usize, u32)>,
) -> Result<(), (String, String)> {
    let broken = |error: io::Error| match error.get_ref().and_then(|error| error.downcast_ref::<DecodeError>()) {
        Some(_) => ("the data is not base64".to_owned(), "letters, digits, `+`, `/` and `=`".to_owned()),
        None => (format!("the compressed data is broken: {error}"), "complete data".to_owned()),
    };
    let mut bytes = vec![0; 1 << 16];
    while cells.found <= cells.count {
        let most = (cells.count + 1 - cells.found).saturating_mul(4).min(bytes.len());
        let mut filled = 0;
        while filled < most {
            match decoder.read(&mut bytes[filled..most]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(broken(error)),
            }
        }
        let (words, rest) = bytes[..filled].as_chunks();
        words.iter().for_each(|word| cells.count_number_and_pass_on(u32::from_le_bytes(*word)));
        if !rest.is_empty() {
            let problem = format!("the data has {} bytes", cells.found * 4 + rest.len());
            return Err((problem, "four bytes a cell".to_owned()));
        }
        if filled < most {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use std::io::Write;

    fn text_data(text: &str) -> DataFile<'_> {
        DataFile::Text(text.into())
    }

    #[test]
    fn all_encodings_give_the_same_numbers() {
        let numbers = [1_u32, 0, 0x8000_0002, 7];
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(&bytes).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(&bytes).unwrap();
        // Tiled writes one line. Other programs may break it anywhere.
        let base64 =
            |bytes: &[u8]| DataFile::Text(format!("\n  {}\n", STANDARD.encode(bytes)).replace("AA", "A\n A").into());
        for (data, encoding, compression) in [
            (DataFile::Numbers(numbers.to_vec()), "", ""),
            (text_data("\n1, 0,\n2147483650,7\n"), "csv", ""),
            (base64(&bytes), "base64", ""),
            (base64(&zlib.finish().unwrap()), "base64", "zlib"),
            (base64(&gzip.finish().unwrap()), "base64", "gzip"),
        ] {
            let mut found = Vec::new();
            decode_cells(data, encoding, compression, 4, |index, number| found.push((index, number))).unwrap();
            assert_eq!(found, (0..).zip(numbers).collect::<Vec<_>>(), "{encoding} {compression}");
        }
    }

    #[test]
    fn wrong_data_is_refused() {
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        zlib.write_all(&vec![0; 1 << 20]).unwrap();
        let bomb = STANDARD.encode(zlib.finish().unwrap());
        for (data, encoding, compression, message) in [
            ("1,2,3", "csv", "", "3 cells"),
            ("1,2,3,4,5", "csv", "", "more than 4 cells"),
            ("1,x,3,4", "csv", "", "cell 2 is \"x\""),
            ("AAAA*", "base64", "", "not base64"),
            ("AAAA", "base64", "", "3 bytes"),
            ("AAAA", "base64", "zlib", "broken"),
            ("AAAA", "base64", "lzma", "\"lzma\""),
            ("", "xml", "", "\"xml\""),
            (&bomb, "base64", "zlib", "more than 4 cells"),
        ] {
            let mut count = 0;
            let (problem, _) = decode_cells(text_data(data), encoding, compression, 4, |_, _| count += 1).unwrap_err();
            assert!(count <= 4, "{problem}");
            assert!(problem.contains(message), "{problem}");
        }
    }
}
