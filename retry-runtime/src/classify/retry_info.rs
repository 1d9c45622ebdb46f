//! The one detail that is read of a gRPC status: `google.rpc.RetryInfo`, out of an encoded `google.rpc.Status`.
//!
//! The wire format of Protocol Buffers, as far as this needs it; a crate for it would be the larger part of the
//! feature. What cannot be read is no detail, and nothing here panics.

use std::time::Duration;

/// How long the details ask to wait; of several the longest.
pub(super) fn retry_delay(details: &[u8]) -> Option<Duration> {
    // message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
    fields(details).filter_map(|field| field.bytes(3)).filter_map(in_any).max()
}

/// `message Any { string type_url = 1; bytes value = 2; }`
fn in_any(any: &[u8]) -> Option<Duration> {
    let name = fields(any).filter_map(|field| field.bytes(1)).last()?;
    if name.rsplit(|byte| *byte == b'/').next() != Some(b"google.rpc.RetryInfo") {
        return None;
    }
    let info = fields(any).filter_map(|field| field.bytes(2)).last().unwrap_or_default();
    // message RetryInfo { google.protobuf.Duration retry_delay = 1; }
    Some(fields(info).filter_map(|field| field.bytes(1)).last().map_or(Duration::ZERO, duration))
}

/// `message Duration { int64 seconds = 1; int32 nanos = 2; }`; a negative one is zero.
fn duration(encoded: &[u8]) -> Duration {
    let number = |wanted| fields(encoded).filter_map(|field| field.number(wanted)).last().unwrap_or(0);
    let seconds = Duration::from_secs(u64::try_from(number(1)).unwrap_or(0));
    seconds.saturating_add(Duration::from_nanos(u64::try_from(number(2)).unwrap_or(0)))
}

struct Field<'a> {
    tag: u64,
    value: Value<'a>,
}

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// A fixed width, which nothing here uses.
    Other,
}

impl<'a> Field<'a> {
    fn bytes(&self, tag: u64) -> Option<&'a [u8]> {
        match self.value {
            Value::Bytes(bytes) if self.tag == tag => Some(bytes),
            _ => None,
        }
    }

    fn number(&self, tag: u64) -> Option<i64> {
        match self.value {
            Value::Number(number) if self.tag == tag => Some(i64::from_ne_bytes(number.to_ne_bytes())),
            _ => None,
        }
    }
}

/// The fields of a message, up to its end or to what cannot be read.
fn fields(mut message: &[u8]) -> impl Iterator<Item = Field<'_>> {
    std::iter::from_fn(move || {
        let key = varint(&mut message)?;
        let value = match key & 7 {
            0 => Value::Number(varint(&mut message)?),
            1 => take(&mut message, 8).map(|_| Value::Other)?,
            2 => {
                let length = usize::try_from(varint(&mut message)?).ok()?;
                Value::Bytes(take(&mut message, length)?)
            }
            5 => take(&mut message, 4).map(|_| Value::Other)?,
            _ => return None,
        };
        Some(Field { tag: key >> 3, value })
    })
}

fn take<'a>(message: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = message.split_at_checked(length)?;
    *message = rest;
    Some(taken)
}

/// Seven bits in each byte, the lowest first; the top bit says that more follow.
fn varint(message: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *take(message, 1)?.first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
