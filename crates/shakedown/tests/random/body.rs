//! Bodies of methods: templates of the grammar, filled at random.

use crate::dice::Dice;
use crate::domain::{DOMAINS, Domain};
use crate::grammar::{STATEMENTS, expressions, leaves};

/// Inputs of one method at most.
const INPUTS: usize = 3000;
/// How deep expressions are, and how deep statements.
const DEPTH: usize = 2;
const NESTING: usize = 2;
/// Numbers of names begin behind those of parameters and locals.
const FIRST: usize = 10;

/// A method that gives a number for each input.
pub struct Method {
    /// Names and domains.
    pub parameters: Vec<(String, &'static Domain)>,
    pub body: String,
}

impl Method {
    pub fn random(dice: &mut Dice) -> Method {
        let parameters = parameters(dice);
        let mut writer =
            Writer { dice, parameters: &parameters, readable: Vec::new(), in_lambda: false, fresh: FIRST };
        let body = writer.body();
        Method { parameters, body }
    }

    /// `byte p0, int[] p1`.
    pub fn declared(&self) -> String {
        let list: Vec<String> =
            self.parameters.iter().map(|(name, domain)| format!("{} {name}", domain.java)).collect();
        list.join(", ")
    }

    pub fn names(&self) -> String {
        let list: Vec<&str> = self.parameters.iter().map(|(name, _)| name.as_str()).collect();
        list.join(", ")
    }

    /// True of the inputs that count.
    pub fn guard(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (name, domain) in &self.parameters {
            if domain.kind != "Node" && !domain.guard.is_empty() {
                parts.push(format!("({})", domain.guard.replace('#', name)));
            }
        }
        let nodes: Vec<&str> = self.of_kind("Node").collect();
        if let [one, other] = nodes[..] {
            parts.push(format!("Domains.isNodes({one}, {other})"));
        }
        if parts.is_empty() { "true".into() } else { parts.join(" && ") }
    }

    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.parameters.iter().filter(move |(_, domain)| domain.kind == kind);
        own.map(|(name, _)| name.as_str())
    }
}

fn parameters(dice: &mut Dice) -> Vec<(String, &'static Domain)> {
    let wanted = 1 + dice.roll(3);
    let (mut chosen, mut inputs): (Vec<&Domain>, usize) = (Vec::new(), 1);
    for _ in 0..8 {
        let domain = dice.pick(DOMAINS);
        let count = domain.count + domain.old.0 + 1;
        if chosen.len() >= wanted || inputs * count > INPUTS {
            continue;
        }
        if domain.kind == "Node" {
            if chosen.iter().any(|own| own.kind == "Node") {
                continue;
            }
            chosen.push(domain);
        }
        chosen.push(domain);
        inputs *= count;
    }
    // What may refer to the others comes last.
    chosen.sort_by_key(|domain| match domain.kind {
        "O" => 2,
        "Object[]" => 1,
        _ => 0,
    });
    chosen.into_iter().enumerate().map(|(number, domain)| (format!("p{number}"), domain)).collect()
}

/// The locals that every body begins with.
const LOCALS: [(&str, char); 10] = [
    ("i0", 'I'),
    ("i1", 'I'),
    ("j0", 'J'),
    ("f0", 'F'),
    ("d0", 'D'),
    ("z0", 'Z'),
    ("s0", 'S'),
    ("a0", 'A'),
    ("a1", 'A'),
    ("o0", 'O'),
];

struct Writer<'a> {
    dice: &'a mut Dice,
    parameters: &'a [(String, &'static Domain)],
    /// Numbers that can be read and not assigned.
    readable: Vec<String>,
    in_lambda: bool,
    fresh: usize,
}

impl Writer<'_> {
    fn body(&mut self) -> String {
        let mut text = String::new();
        let used = 4 + self.dice.roll(LOCALS.len() - 3);
        let mut declared = Vec::new();
        self.in_lambda = true;
        for (name, kind) in LOCALS {
            let depth = usize::from(declared.len() < used);
            let value = self.expression(kind, depth);
            text += &format!("        {} {name} = {value};\n", java(kind));
            declared.push(name);
        }
        self.in_lambda = false;
        for _ in 0..1 + self.dice.roll(4) {
            text += &format!("        {}\n", self.statement(NESTING));
        }
        let result = self.expression('I', 1);
        let end = match self.dice.roll(6) {
            0 => format!("({result}) & 7"),
            1 => format!("i0 ^ ({result})"),
            2 => "Things.mix(i0, i1) & 15".into(),
            3 => "(int) (j0 ^ i0) + Things.hash(s0)".into(),
            4 => "i0 + (z0 ? 1 : 0) + a0.length * 2 + Things.hash(o0)".into(),
            _ => "(i0 * 7 + i1 + (int) d0 + (int) f0) % 100".into(),
        };
        text + &format!("        return {end};\n")
    }

    fn statements(&mut self, nesting: usize) -> String {
        let count = 1 + self.dice.roll(2);
        let list: Vec<String> = (0..count).map(|_| self.statement(nesting)).collect();
        list.join(" ")
    }

    fn statement(&mut self, nesting: usize) -> String {
        for _ in 0..40 {
            let template = *self.dice.pick(STATEMENTS);
            let is_nested = template.contains("{B");
            if self.fits(template) && (nesting > 0 || !is_nested) && self.is_worth_it(template) {
                return self.fill(template, DEPTH - usize::from(is_nested), nesting);
            }
        }
        "i0++;".into()
    }

    /// What is about the parameters is preferred.
    fn is_worth_it(&mut self, template: &str) -> bool {
        let is_about =
            self.parameters.iter().any(|(_, domain)| template.contains(&format!("{{{}}}", domain.kind)));
        is_about && !matches!(template, "{I}" | "{J}") || self.dice.roll(3) == 0
    }

    /// Whether all that a template names is there.
    fn fits(&self, template: &str) -> bool {
        holes(template).all(|hole| match hole {
            Hole::Special(kind) => self.parameters.iter().any(|(_, domain)| domain.kind == kind),
            Hole::Assigned(_) => !self.in_lambda,
            _ => true,
        })
    }

    fn expression(&mut self, kind: char, depth: usize) -> String {
        if depth == 0 || self.dice.roll(5) == 0 {
            return self.leaf(kind);
        }
        for _ in 0..20 {
            let template = *self.dice.pick(expressions(kind));
            if self.fits(template) && self.is_worth_it(template) {
                return self.fill(template, depth - 1, 0);
            }
        }
        self.leaf(kind)
    }

    fn leaf(&mut self, kind: char) -> String {
        let letter = kind.to_string();
        let mut names: Vec<String> = self
            .parameters
            .iter()
            .filter(|(_, domain)| domain.kind == letter)
            .map(|(name, _)| name.clone())
            .collect();
        names.extend(names.clone());
        if !self.in_lambda {
            names.extend(LOCALS.iter().filter(|(_, own)| *own == kind).map(|(name, _)| name.to_string()));
            if kind == 'I' {
                names.extend(self.readable.iter().cloned());
            }
        }
        if names.is_empty() || self.dice.roll(3) == 0 {
            return self.dice.pick(leaves(kind)).to_string();
        }
        self.dice.pick(&names).clone()
    }

    fn fill(&mut self, template: &str, depth: usize, nesting: usize) -> String {
        self.fresh += 1;
        let template = template.replace('@', &self.fresh.to_string());
        let (mut text, mut rest) = (String::new(), template.as_str());
        while let Some(at) = rest.find('{') {
            text += &rest[..at];
            let Some((hole, length)) = hole_at(&rest[at..]) else {
                text.push('{');
                rest = &rest[at + 1..];
                continue;
            };
            rest = &rest[at + length..];
            match hole {
                Hole::Value(kind) => text += &wrapped(&self.expression(kind, depth), kind),
                Hole::Closed(kind) => {
                    let before = std::mem::replace(&mut self.in_lambda, true);
                    let value = self.expression(kind, depth);
                    self.in_lambda = before;
                    text += &wrapped(&value, kind);
                }
                Hole::Assigned(kind) => {
                    let names: Vec<&str> =
                        LOCALS.iter().filter(|(_, own)| *own == kind).map(|(name, _)| *name).collect();
                    text += *self.dice.pick(&names[..]);
                }
                Hole::Special(kind) => {
                    let names: Vec<&str> = self
                        .parameters
                        .iter()
                        .filter(|(_, domain)| domain.kind == kind)
                        .map(|(name, _)| name.as_str())
                        .collect();
                    text += *self.dice.pick(&names[..]);
                }
                Hole::Block(None) => text += &self.statements(nesting - 1),
                Hole::Block(Some(name)) => {
                    self.readable.push(name.to_string());
                    text += &self.statements(nesting - 1);
                    self.readable.pop();
                }
            }
        }
        text + rest
    }
}

fn java(kind: char) -> &'static str {
    match kind {
        'I' => "int",
        'J' => "long",
        'F' => "float",
        'D' => "double",
        'Z' => "boolean",
        'S' => "String",
        'A' => "int[]",
        _ => "Object",
    }
}

/// An expression that can stand anywhere.
fn wrapped(text: &str, kind: char) -> String {
    if kind == 'O' {
        return format!("((Object) ({text}))");
    }
    // Which overloaded method takes a choice is not always clear.
    if kind == 'I' && (text.contains('?') || text.starts_with("switch")) {
        return format!("(0 + ({text}))");
    }
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric());
    if is_plain { text.to_string() } else { format!("({text})") }
}

/// What is left open in a template.
enum Hole<'a> {
    Value(char),
    Closed(char),
    Assigned(char),
    Special(&'a str),
    Block(Option<&'a str>),
}

fn holes(template: &str) -> impl Iterator<Item = Hole<'_>> {
    template.match_indices('{').filter_map(|(at, _)| hole_at(&template[at..])).map(|(hole, _)| hole)
}

/// The hole that a text begins with, and its length.
fn hole_at(text: &str) -> Option<(Hole<'_>, usize)> {
    let inner = &text[1..text.find('}')?];
    let letter = inner.chars().last()?;
    let hole = match inner {
        "I" | "J" | "F" | "D" | "Z" | "S" | "A" | "O" => Hole::Value(letter),
        "i" | "z" | "o" | "s" => Hole::Closed(letter.to_ascii_uppercase()),
        "=I" | "=J" | "=F" | "=D" | "=Z" | "=S" | "=A" | "=O" => Hole::Assigned(letter),
        "B" => Hole::Block(None),
        _ => match inner.strip_prefix("B:") {
            Some(name) => Hole::Block(Some(name)),
            None if DOMAINS.iter().any(|domain| domain.kind == inner) => Hole::Special(inner),
            None => return None,
        },
    };
    Some((hole, inner.len() + 2))
}
