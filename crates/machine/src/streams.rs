//! Standard input and output of the program. What was written while a checkpoint is open is kept, because it may be taken
//! back.

use crate::machine::Machine;
use crate::native::Raise;
use crate::outcome::{Memory, Stop};

/// Where bytes written by the program go as soon as no checkpoint can take them back.
pub type Sink = Box<dyn FnMut(usize, &[u8])>;
/// Where standard input comes from when the configured bytes are used up.
pub type Source = Box<dyn FnMut(&mut [u8]) -> usize>;

impl Machine {
    /// Appends to standard output (0) or standard error (1). What has to be kept has a bound.
    pub fn write(&mut self, stream: usize, bytes: &[u8]) -> Result<(), Raise> {
        if self.trail.marks.is_empty()
            && let Some(sink) = &mut self.sink
        {
            sink(stream, bytes);
            return Ok(());
        }
        let kept = &mut self.output[stream];
        if bytes.len() > self.config.output.saturating_sub(kept.len()) {
            return Err(Raise::Stop(Stop::Memory(Memory::Output)));
        }
        kept.extend_from_slice(bytes);
        Ok(())
    }

    /// Passes output straight on while no checkpoint is open.
    pub fn set_sink(&mut self, sink: Sink) {
        self.sink = Some(sink);
    }

    /// Where to read standard input from.
    pub fn set_source(&mut self, source: Source) {
        self.source = Some(source);
    }

    /// Reads standard input; 0 at its end.
    pub fn read_input(&mut self, buffer: &mut [u8]) -> usize {
        if buffer.is_empty() {
            return 0;
        }
        self.fetch_input();
        let rest = &self.input[self.input_position..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.input_position += count;
        count
    }

    /// Gets more input from outside when all was read.
    fn fetch_input(&mut self) {
        if self.input_position == self.input.len()
            && let Some(source) = &mut self.source
        {
            // Without a checkpoint nobody comes back to what was read.
            if self.trail.marks.is_empty() {
                self.input.clear();
                self.input_position = 0;
            }
            let mut chunk = vec![0; 8192];
            let count = source(&mut chunk);
            self.input.extend_from_slice(&chunk[..count]);
        }
    }

    /// Bytes of standard input that can be read without waiting. Waits for the first itself: whether input is late
    /// must not make a difference.
    pub fn input_available(&mut self) -> usize {
        self.fetch_input();
        self.input.len() - self.input_position
    }
}
