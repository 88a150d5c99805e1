//! The chunks of the binary form.

use super::limits;

/// The first bytes of a binary stream.
pub(crate) const MAGIC: [u8; 8] = *b"\x89PLYTR\r\n";

/// What is in a chunk.
pub(crate) const RECORDS: u8 = 0;
pub(crate) const LINES: u8 = 1;
pub(crate) const WAITING: u8 = 2;

/// The header of a chunk.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Head {
    /// The length of the payload, in bytes.
    pub len: u32,
    pub thread: u16,
    pub kind: u8,
    /// The number of the thread's last event before the chunk.
    pub before: u64,
    /// The number of the thread's last event at its end, and the hash of all events up to there.
    pub after: u64,
    pub hash: u64,
}

impl Head {
    pub(crate) const SIZE: usize = 32;

    /// Reads a header from at least [`Head::SIZE`] bytes. Returns `None` for bytes that cannot be one.
    pub(crate) fn read(bytes: &[u8]) -> Option<Head> {
        let (bytes, _) = bytes.split_first_chunk::<{ Head::SIZE }>()?;
        let [l0, l1, l2, l3, t0, t1, kind, zero, rest @ ..] = *bytes;
        let number = |i: usize| {
            let group = rest[8 * i..].first_chunk::<8>();
            group.map_or(0, |group| u64::from_le_bytes(*group))
        };
        let head = Head {
            len: u32::from_le_bytes([l0, l1, l2, l3]),
            thread: u16::from_le_bytes([t0, t1]),
            kind,
            before: number(0),
            after: number(1),
            hash: number(2),
        };
        let good = zero == 0
            && head.len as usize <= limits::CHUNK
            && head.after <= i64::MAX as u64
            && (kind != RECORDS || head.before <= head.after)
            && (kind != WAITING || head.len == 0);
        good.then_some(head)
    }

    /// Reads a header where damaged bytes came before, so that it must not be taken for granted that there is one: of a known
    /// kind, with something in it.
    pub(crate) fn read_strictly(bytes: &[u8]) -> Option<Head> {
        let head = Head::read(bytes)?;
        let good = usize::from(head.thread) < limits::THREADS
            && match head.kind {
                RECORDS => head.len > 0 && head.before < head.after,
                LINES => head.len > 0,
                kind => kind == WAITING,
            };
        good.then_some(head)
    }

    pub(crate) fn bytes(&self) -> [u8; Head::SIZE] {
        let mut bytes = [0; Head::SIZE];
        bytes[..4].copy_from_slice(&self.len.to_le_bytes());
        bytes[4..6].copy_from_slice(&self.thread.to_le_bytes());
        bytes[6] = self.kind;
        bytes[8..16].copy_from_slice(&self.before.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.after.to_le_bytes());
        bytes[24..].copy_from_slice(&self.hash.to_le_bytes());
        bytes
    }
}

/// Looks in damaged bytes for the next chunk. `whole`: the stream ends with these bytes.
///
/// Returns its place, or how many bytes certainly belong to none.
pub(crate) fn find(bytes: &[u8], whole: bool) -> Result<usize, usize> {
    let enough = Head::SIZE + limits::CHUNK + Head::SIZE;
    let last = match whole {
        true => bytes.len(),
        false => bytes.len().saturating_sub(enough),
    };
    let is_chunk = |at: &usize| {
        let Some(head) = Head::read_strictly(&bytes[*at..]) else {
            return false;
        };
        // Another one follows it, or the end.
        let next = at + Head::SIZE + head.len as usize;
        match bytes.get(next..) {
            Some([]) => whole,
            Some(next) => Head::read(next).is_some(),
            None => false,
        }
    };
    (0..last).find(is_chunk).ok_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let head = Head {
            len: 64,
            thread: 3,
            kind: RECORDS,
            before: 5,
            after: 11,
            hash: u64::MAX,
        };
        assert_eq!(Head::read(&head.bytes()), Some(head));
        assert_eq!(Head::read(&head.bytes()[1..]), None);
        let long = Head {
            len: limits::CHUNK as u32 + 1,
            ..head
        };
        assert_eq!(Head::read(&long.bytes()), None);
        let mut damaged = head.bytes();
        damaged[7] = 1;
        assert_eq!(Head::read(&damaged), None);
    }

    #[test]
    fn a_chunk_is_found_among_damaged_bytes() {
        let head = Head {
            len: 2,
            kind: RECORDS,
            after: 2,
            ..Head::default()
        };
        let mut bytes = vec![0xff; 1000];
        bytes.extend(head.bytes());
        bytes.extend([20, 20]);
        assert_eq!(find(&bytes, true), Ok(1000));
        assert_eq!(find(&bytes[..1033], true), Err(1033));
        // As long as more may come, nothing is certain.
        assert_eq!(find(&bytes, false), Err(0));
        assert_eq!(find(&[0; 500], true), Err(500), "zeros are no chunks");
    }
}
