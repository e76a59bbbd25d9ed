//! zip, read from its start by the header before each member: for a zip that was cut short, or that is too large to
//! be held. Fields as in PKWARE's APPNOTE 6.3.10, sections 4.3.7 to 4.3.9.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::error::plain;
use super::paths::{Name, Place};
use super::readers::{CHUNK, Counted, Exact, Metered, drain};
use super::walker::{Content, Walker};
use super::zip::unread_method;

const MEMBER: [u8; 4] = *b"PK\x03\x04";
const SPANNED: [u8; 4] = *b"PK\x07\x08";
/// Marks the size that stands in the field for large files.
const ELSEWHERE: u64 = u32::MAX as u64;

/// The header before a member.
struct Header {
    name: String,
    encrypted: bool,
    /// Size and checksum stand behind the content.
    described_after: bool,
    method: u16,
    crc: u32,
    packed: u64,
    unpacked: u64,
    /// Sizes have eight bytes.
    large: bool,
}

/// Hands on the members of the zip at `place` until its directory or its end.
pub(super) fn walk(walker: &mut Walker<'_>, place: &Place, reader: &mut dyn Read) {
    let (counted, taken) = Counted::new(reader);
    let mut input = BufReader::with_capacity(CHUNK, counted);
    let mut result = Ok(true);
    while matches!(result, Ok(true)) && !walker.is_full() {
        result = member(walker, place, &mut input, &taken);
    }
    if let Err(error) = result {
        walker.problem(place.container(), format!("the rest of the zip is not read: {}", plain(&error)));
    }
}

/// Hands on the next member; false at the directory.
fn member<R: Read>(
    walker: &mut Walker<'_>,
    container: &Place,
    input: &mut BufReader<R>,
    taken: &Rc<Cell<u64>>,
) -> io::Result<bool> {
    let Some(header) = Header::read(input)? else {
        return Ok(false);
    };
    let is_folder = header.name.ends_with(['/', '\\']);
    if header.is_open_ended() && !is_folder && (header.method != 8 || header.encrypted) {
        return Err(io::Error::other("the size of the next file is not known"));
    }
    let place = if is_folder { None } else { walker.admit(container, Name::in_zip(&header.name)) };
    match (place, header.method) {
        (Some(place), _) if header.encrypted => {
            walker.encrypted(&place);
            skip(input, header.packed)?;
        }
        (Some(place), 0 | 8) => return content(walker, &place, &header, input, taken).map(|()| true),
        (Some(place), method) => {
            walker.problem(&place.path, unread_method(method));
            skip(input, header.packed)?;
        }
        (None, 8) if header.is_open_ended() => {
            let mut inflated =
                Metered::unpacked(DeflateDecoder::new(&mut *input), walker.meter, taken.clone(), walker.budget);
            drain(&mut inflated)?;
        }
        (None, _) => skip(input, header.packed)?,
    }
    if header.described_after {
        header.description(input)?;
    }
    Ok(true)
}

/// Hands on a stored or deflated member and reads on to its end.
fn content<R: Read>(
    walker: &mut Walker<'_>,
    place: &Place,
    header: &Header,
    input: &mut BufReader<R>,
    taken: &Rc<Cell<u64>>,
) -> io::Result<()> {
    let known = !header.is_open_ended();
    let packed = if known { header.packed } else { u64::MAX };
    let mut body = (&mut *input).take(packed);
    let inner: Box<dyn Read + '_> = match header.method {
        0 => Box::new(Exact::new(&mut body, packed)),
        _ => Box::new(DeflateDecoder::new(&mut body)),
    };
    // What went in before this member makes the ratio kinder, never stricter.
    let unpacked = Metered::unpacked(inner, walker.meter, taken.clone(), walker.budget);
    let mut summed = Summed { inner: unpacked, crc: Crc::new() };
    walker.file(place, known.then_some(header.unpacked), Content::Stream(&mut summed));
    drain(&mut summed)?;
    let found = summed.crc.sum();
    drop(summed);
    if known {
        drain(&mut body)?;
    }
    let stated = if header.described_after { header.description(input)? } else { header.crc };
    if found != stated {
        walker.problem(&place.path, "the checksum does not match".into());
    }
    Ok(())
}

fn skip(input: &mut impl Read, bytes: u64) -> io::Result<()> {
    drain(&mut Exact::new(input.take(bytes), bytes)).map(|_| ())
}

impl Header {
    /// The next header; none at the directory.
    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut mark = bytes(input)?;
        if mark == SPANNED {
            mark = bytes(input)?;
        }
        if mark != MEMBER {
            return if mark.starts_with(b"PK") { Ok(None) } else { Err(io::Error::other("what follows is not a zip")) };
        }
        let _version: [u8; 2] = bytes(input)?;
        let flags = u16::from_le_bytes(bytes(input)?);
        let method = u16::from_le_bytes(bytes(input)?);
        let _time: [u8; 4] = bytes(input)?;
        let crc = u32::from_le_bytes(bytes(input)?);
        let packed = u64::from(u32::from_le_bytes(bytes(input)?));
        let unpacked = u64::from(u32::from_le_bytes(bytes(input)?));
        let name_length = u16::from_le_bytes(bytes(input)?);
        let extra_length = u16::from_le_bytes(bytes(input)?);
        let name = some_bytes(input, name_length)?;
        let extra = some_bytes(input, extra_length)?;
        let mut header = Header {
            name: String::from_utf8_lossy(&name).into_owned(),
            encrypted: flags & 1 != 0,
            described_after: flags & 8 != 0,
            method,
            crc,
            packed,
            unpacked,
            large: false,
        };
        header.large_sizes(&extra);
        Ok(Some(header))
    }

    /// Whether only the content itself says where it ends.
    fn is_open_ended(&self) -> bool {
        self.described_after && self.packed == 0
    }

    /// Takes the sizes from the field with id 1, where the header has no room for them.
    fn large_sizes(&mut self, mut extra: &[u8]) {
        while let Some((id, rest)) = extra.split_first_chunk::<2>()
            && let Some((length, rest)) = rest.split_first_chunk::<2>()
            && let Some((field, rest)) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))
        {
            if u16::from_le_bytes(*id) == 1 {
                self.large = true;
                let mut numbers =
                    field.chunks_exact(8).filter_map(|eight| eight.try_into().ok()).map(u64::from_le_bytes);
                for size in [&mut self.unpacked, &mut self.packed] {
                    if *size == ELSEWHERE {
                        *size = numbers.next().unwrap_or(0);
                    }
                }
                return;
            }
            extra = rest;
        }
    }

    /// The checksum from the description behind the content, whose mark is optional.
    fn description(&self, input: &mut impl BufRead) -> io::Result<u32> {
        let mut crc: [u8; 4] = bytes(input)?;
        if crc == SPANNED {
            crc = bytes(input)?;
        }
        let _sizes: [u8; 8] = bytes(input)?;
        if self.large || !input.fill_buf()?.starts_with(b"P") {
            let _rest: [u8; 8] = bytes(input)?;
        }
        Ok(u32::from_le_bytes(crc))
    }
}

fn bytes<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut out = [0; N];
    input.read_exact(&mut out)?;
    Ok(out)
}

fn some_bytes(input: &mut impl Read, count: u16) -> io::Result<Vec<u8>> {
    let mut out = vec![0; usize::from(count)];
    input.read_exact(&mut out)?;
    Ok(out)
}

/// Keeps the checksum of what is read through it.
struct Summed<R> {
    inner: R,
    crc: Crc,
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.crc.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}
