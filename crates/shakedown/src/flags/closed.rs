//! `--closed`: parts of the world that are taken to be as they are here.

#[derive(clap::Args)]
pub struct Closed {
    /// Parts of the world that are taken to be as they are here; the answer says so
    #[arg(long, value_enum, value_name = "PARTS", value_delimiter = ',')]
    closed: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// There are no classes but those on the class path
    Classes,
    /// Static fields are as the initializers of their classes leave them
    Statics,
    /// Clock, locale, files and so on are as in `shakedown run`
    Outside,
}

impl Closed {
    pub fn parts(&self) -> explore::supposed::Closed {
        explore::supposed::Closed {
            outside: self.closed.contains(&Part::Outside),
            statics: self.closed.contains(&Part::Statics),
            classes: self.closed.contains(&Part::Classes),
        }
    }
}
