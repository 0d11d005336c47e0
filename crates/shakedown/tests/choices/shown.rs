//! Object graphs as texts that are the same for isomorphic ones; `Shown.java` writes those of a JVM like this.

use testcase::{Graph, Node, Value};

pub fn text(graph: &Graph) -> String {
    let mut writer = Writer { graph, numbers: vec![None; graph.nodes.len()], count: 0, text: String::new() };
    writer.value(&graph.root);
    writer.text
}

struct Writer<'a> {
    graph: &'a Graph,
    numbers: Vec<Option<usize>>,
    count: usize,
    text: String,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) {
        let text = match value {
            Value::Null => "null".to_string(),
            Value::Boolean(value) => value.to_string(),
            Value::Char(unit) => format!("char {unit}"),
            Value::Byte(value) => value.to_string(),
            Value::Short(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Long(value) => value.to_string(),
            Value::Float(value) if value.is_nan() => "float 2143289344".to_string(),
            Value::Float(value) => format!("float {}", value.to_bits() as i32),
            Value::Double(value) if value.is_nan() => "double 9221120237041090560".to_string(),
            Value::Double(value) => format!("double {}", value.to_bits() as i64),
            Value::Node(index) => return self.node(*index),
        };
        self.text += &text;
    }

    fn node(&mut self, index: usize) {
        let graph = self.graph;
        match &graph.nodes[index] {
            Node::String(units) => {
                self.text.push('"');
                self.units(units);
                self.text.push('"');
                return;
            }
            Node::Enum { name, .. } => {
                self.text += name;
                return;
            }
            Node::Boxed { class, value } => {
                self.text += &format!("{class} ");
                return self.value(value);
            }
            Node::Text { class, text } => {
                self.text += &format!("{class} ");
                return self.units(&text.encode_utf16().collect::<Vec<_>>());
            }
            _ => {}
        }
        if let Some(number) = self.numbers[index] {
            self.text += &format!("#{number}");
            return;
        }
        self.numbers[index] = Some(self.count);
        self.text += &format!("#{}", self.count);
        self.count += 1;
        match &graph.nodes[index] {
            Node::List { class, elements } => {
                if class.ends_with("[]") {
                    self.text += class;
                }
                self.all('[', elements.iter(), ']');
            }
            Node::Map { entries, .. } => {
                self.all('{', entries.iter().flat_map(|(key, value)| [key, value]), '}');
            }
            Node::Object { class, fields } => {
                self.text += class;
                self.all('(', fields.iter().map(|(_, value)| value), ')');
            }
            _ => unreachable!("written above"),
        }
    }

    fn all<'v>(&mut self, open: char, values: impl Iterator<Item = &'v Value>, close: char) {
        self.text.push(open);
        for value in values {
            self.value(value);
            self.text.push(',');
        }
        self.text.push(close);
    }

    fn units(&mut self, units: &[u16]) {
        for unit in units {
            match char::from_u32(u32::from(*unit)) {
                Some(c) if (' '..'\x7f').contains(&c) && c != '\\' && c != '"' => self.text.push(c),
                _ => self.text += &format!("\\{unit};"),
            }
        }
    }
}
