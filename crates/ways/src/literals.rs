//! Values that source writes as they are: numbers, texts, classes.

use machine::Machine;
use program::{ClassId, Constant};

use crate::types::Type;

/// Such a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Boolean(bool),
    Char(u16),
    /// By the letter of its type.
    Integer(char, i64),
    Fraction(char, f64),
    Text(String),
    Class(Type),
}

/// The numbers and texts there are.
#[derive(Clone, Debug)]
pub struct Pool {
    numbers: Vec<i64>,
    texts: Vec<String>,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool { numbers: vec![-1, 0, 1], texts: vec!["".into(), "a".into()] }
    }
}

/// Literals of one class that are used, and how long a text is at most.
const MOST: usize = 40;
const LONGEST: usize = 40;

impl Pool {
    /// Adds what the code of a class names.
    pub fn add_literals_of(&mut self, m: &Machine, class: ClassId) {
        let numbers = m.program.numbers_of(class).into_iter().map(i64::from);
        let numbers: Vec<i64> = numbers.filter(|number| !self.numbers.contains(number)).collect();
        self.numbers.extend(numbers.into_iter().take(MOST));
        let Some(file) = &m.program.class(class).file else { return };
        let texts = (1..file.pool_len() as u16).filter_map(|index| match file.constant(index) {
            Ok(Constant::String { utf8 }) => file.utf8(utf8).ok().map(|text| text.into_owned()),
            _ => None,
        });
        for text in texts.filter(|text| text.len() <= LONGEST).take(MOST) {
            if !self.texts.contains(&text) {
                self.texts.push(text);
            }
        }
    }

    /// The values of a primitive type, by its letter.
    pub fn primitives(&self, letter: char) -> Vec<Literal> {
        let within = |least: i64, most: i64| {
            let numbers = self.numbers.iter().filter(move |number| (least..=most).contains(*number));
            numbers.map(|number| Literal::Integer(letter, *number)).collect()
        };
        match letter {
            'Z' => vec![Literal::Boolean(false), Literal::Boolean(true)],
            'C' => {
                let mut units: Vec<u16> = vec!['a' as u16, ' ' as u16, '0' as u16];
                let own = self.texts.iter().filter_map(|text| {
                    let mut units = text.encode_utf16();
                    units.next().filter(|_| units.next().is_none())
                });
                units.extend(own.filter(|unit| *unit != 'a' as u16));
                units.into_iter().map(Literal::Char).collect()
            }
            'B' => within(i64::from(i8::MIN), i64::from(i8::MAX)),
            'S' => within(i64::from(i16::MIN), i64::from(i16::MAX)),
            'I' => within(i64::from(i32::MIN), i64::from(i32::MAX)),
            'J' => within(i64::MIN, i64::MAX),
            'F' | 'D' => {
                self.numbers.iter().map(|number| Literal::Fraction(letter, *number as f64)).collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn texts(&self) -> Vec<Literal> {
        self.texts.iter().cloned().map(Literal::Text).collect()
    }
}

/// The primitive in whose box a value of a class is.
pub fn boxed(class: &str) -> Option<char> {
    Some(match class.strip_prefix("java/lang/")? {
        "Boolean" => 'Z',
        "Byte" => 'B',
        "Character" => 'C',
        "Short" => 'S',
        "Integer" => 'I',
        "Long" => 'J',
        "Float" => 'F',
        "Double" => 'D',
        _ => return None,
    })
}
