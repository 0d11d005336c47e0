//! Answers of the worker, found in what its process writes, which code under test may write to as well.
//!
//! An answer is the mark, which only this process was told, a length of four bytes, and its contents. Nothing is
//! believed of it: memory is taken as bytes arrive, and each byte is looked at once.

use std::io::{BufRead, BufReader, Read};
use std::sync::Mutex;
use std::sync::mpsc::Sender;

/// What is kept of output that is no answer: the message of a JVM that cannot start.
const NOISE: usize = 4096;
/// No answer is larger.
const LARGEST: u32 = 1 << 28;
/// What is read at once.
const CHUNK: usize = 1 << 16;

/// Reads answers until the end. What does not begin with the mark is none, and is passed over.
pub fn read_answers(output: impl Read, mark: u64, answers: &Sender<Vec<u8>>, noise: &Mutex<Vec<u8>>) {
    let mut output = BufReader::with_capacity(CHUNK, output);
    while pass_mark(&mut output, mark, noise)
        && let Some(answer) = contents(&mut output)
    {
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// Reads up to the end of the next mark; false if there is none.
fn pass_mark(output: &mut impl BufRead, mark: u64, noise: &Mutex<Vec<u8>>) -> bool {
    // The last eight bytes, of which so many were read.
    let (mut window, mut held) = (0u64, 0);
    loop {
        let mut passed = Vec::new();
        let mut used = 0;
        let chunk = output.fill_buf().unwrap_or_default();
        let is_end = chunk.is_empty();
        for &byte in chunk {
            if held < 8 {
                held += 1;
            } else if passed.len() < NOISE {
                passed.push((window >> 56) as u8);
            }
            window = window << 8 | u64::from(byte);
            used += 1;
            if held == 8 && window == mark {
                break;
            }
        }
        output.consume(used);
        let is_found = held == 8 && window == mark;
        if is_end {
            passed.extend(&window.to_be_bytes()[8 - held..]);
        }
        keep(noise, &passed);
        if is_end || is_found {
            return is_found;
        }
    }
}

/// Length and contents; none if the output ends before, or if no answer is that long.
fn contents(output: &mut impl Read) -> Option<Vec<u8>> {
    let mut length = [0; 4];
    output.read_exact(&mut length).ok()?;
    let length = u32::from_be_bytes(length);
    if length > LARGEST {
        return None;
    }
    let mut answer = Vec::new();
    output.take(length.into()).read_to_end(&mut answer).ok()?;
    (answer.len() == length as usize).then_some(answer)
}

pub fn drain(mut errors: impl Read, noise: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1024];
    while let Ok(count @ 1..) = errors.read(&mut chunk) {
        keep(noise, &chunk[..count]);
    }
}

fn keep(noise: &Mutex<Vec<u8>>, bytes: &[u8]) {
    let mut noise = noise.lock().unwrap_or_else(|e| e.into_inner());
    let room = NOISE.saturating_sub(noise.len()).min(bytes.len());
    noise.extend(&bytes[..room]);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::{Duration, Instant};

    use super::*;

    const MARK: u64 = 0x0101_0101_0101_0102;

    /// Gives as many bytes at once as it is told.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn read(output: impl Read) -> (Vec<Vec<u8>>, String) {
        let (sender, receiver) = channel();
        let noise = Mutex::default();
        read_answers(output, MARK, &sender, &noise);
        drop(sender);
        let noise = noise.into_inner().unwrap();
        (receiver.iter().collect(), String::from_utf8_lossy(&noise).into_owned())
    }

    fn frame(contents: &[u8]) -> Vec<u8> {
        [&MARK.to_be_bytes()[..], &(contents.len() as u32).to_be_bytes(), contents].concat()
    }

    #[test]
    fn answers_are_found_in_noise_however_they_arrive() {
        // Before the second answer stands what could be the beginning of the mark.
        let bytes = [b"no".to_vec(), frame(b"one"), b"ise\x01\x01".to_vec(), frame(b""), b"end".to_vec()];
        let bytes = bytes.concat();
        for at_once in 1..=bytes.len() {
            let (answers, noise) = read(Slowly(&bytes, at_once));
            assert_eq!(answers, [b"one".to_vec(), Vec::new()], "{at_once} at once");
            assert_eq!(noise, "noise\x01\x01end", "{at_once} at once");
        }
    }

    #[test]
    fn an_answer_that_is_cut_off_or_too_long_is_none() {
        let whole = frame(b"one");
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).0.is_empty(), "{length}");
        }
        let long = [&MARK.to_be_bytes()[..], &(LARGEST + 1).to_be_bytes(), &frame(b"one")].concat();
        assert!(read(&long[..]).0.is_empty());
    }

    #[test]
    fn noise_takes_time_for_its_length_only() {
        let start = Instant::now();
        let (answers, noise) = read(std::io::repeat(1).take(16 << 20).chain(&frame(b"one")[..]));
        assert_eq!(answers, [b"one"]);
        assert_eq!(noise.len(), NOISE);
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
