//! Dates, times and amounts of time as source: each is made by the static method that takes what it consists of.

use testcase::script::Expr;
use testcase::{Graph, Value};

use super::TestWriter;

/// Class, static method, and the fields that are its arguments.
const MADE: [(&str, &str, &[&str]); 10] = [
    ("java.time.LocalDate", "of", &["year", "month", "day"]),
    ("java.time.LocalTime", "of", &["hour", "minute", "second", "nano"]),
    ("java.time.LocalDateTime", "of", &["date", "time"]),
    ("java.time.Instant", "ofEpochSecond", &["seconds", "nanos"]),
    ("java.time.Duration", "ofSeconds", &["seconds", "nanos"]),
    ("java.time.Period", "of", &["years", "months", "days"]),
    ("java.time.Year", "of", &["year"]),
    ("java.time.YearMonth", "of", &["year", "month"]),
    ("java.time.MonthDay", "of", &["month", "day"]),
    ("java.time.ZoneOffset", "ofTotalSeconds", &["totalSeconds"]),
];

/// Whether a class has values that can be written like this.
pub fn is_moment(class: &str) -> bool {
    MADE.iter().any(|(made, ..)| *made == class)
}

impl TestWriter<'_> {
    /// An expression that makes an equal value of one of these classes.
    pub(super) fn moment(
        &mut self,
        graph: &Graph,
        class: &str,
        fields: &[(String, Value)],
        depth: u32,
    ) -> Option<Expr> {
        let (_, method, names) = MADE.iter().find(|(made, ..)| *made == class)?;
        let mut arguments = Vec::new();
        for name in *names {
            let (_, value) = fields.iter().find(|(field, _)| field == name)?;
            arguments.push(match value {
                Value::Byte(number) => Expr::Literal(Value::Int(i32::from(*number))),
                Value::Short(number) => Expr::Literal(Value::Int(i32::from(*number))),
                value => self.value(graph, value, depth + 1)?,
            });
        }
        // What is zero at the end need not be said where there is a shorter form.
        if matches!(*method, "ofEpochSecond" | "ofSeconds")
            && arguments.last() == Some(&Expr::Literal(Value::Int(0)))
        {
            arguments.pop();
        }
        Some(Expr::StaticCall { class: class.into(), method: (*method).into(), arguments })
    }
}
