//! Answers of the worker, found in what its process writes, which code under test may write to as well.

use std::io::Read;
use std::sync::Mutex;
use std::sync::mpsc::Sender;

/// What is kept of output that is no answer: the message of a JVM that cannot start.
const NOISE: usize = 4096;
/// No answer is larger.
const LARGEST: usize = 1 << 28;

/// Reads answers until the end. What does not begin with the mark is none, and is passed over.
pub fn read_answers(mut output: impl Read, mark: u64, answers: &Sender<Vec<u8>>, noise: &Mutex<Vec<u8>>) {
    let mark = mark.to_be_bytes();
    let mut buffer = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        while let Some(at) = buffer.windows(mark.len()).position(|window| window == mark) {
            keep(noise, &buffer[..at]);
            buffer.drain(..at);
            let Some(length) = buffer.get(8..12) else { break };
            let length = u32::from_be_bytes(length.try_into().expect("four bytes")) as usize;
            if length > LARGEST {
                return;
            }
            if buffer.len() < 12 + length {
                buffer.reserve(12 + length - buffer.len());
                break;
            }
            let rest = buffer.split_off(12 + length);
            let answer = std::mem::replace(&mut buffer, rest).split_off(12);
            if answers.send(answer).is_err() {
                return;
            }
        }
        if !buffer.starts_with(&mark) && buffer.len() > mark.len() {
            let noisy = buffer.len() - mark.len();
            keep(noise, &buffer[..noisy]);
            buffer.drain(..noisy);
        }
        match output.read(&mut chunk) {
            Ok(0) | Err(_) => {
                keep(noise, &buffer);
                return;
            }
            Ok(count) => buffer.extend(&chunk[..count]),
        }
    }
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
