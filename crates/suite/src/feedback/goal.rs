//! States that are wanted: what fields are to hold for a branch to be taken, and how far an object is from it.

use testcase::{Graph, Node, Value};

use crate::harvest::Found;
use crate::shape::Make;

/// How far apart two numbers count at most, and what something else than a number counts.
const FARTHEST: u64 = 1_000;
const OTHER: u64 = 10;

/// What fields are to hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    fields: Vec<(String, Held)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Held {
    Number(i64),
    Null,
    Text(Vec<u16>),
    /// Some object.
    Something,
}

impl Held {
    fn of(value: &Value, nodes: &[Node]) -> Held {
        match value {
            Value::Null => Held::Null,
            Value::Boolean(truth) => Held::Number(i64::from(*truth)),
            Value::Char(unit) => Held::Number(i64::from(*unit)),
            Value::Byte(number) => Held::Number(i64::from(*number)),
            Value::Short(number) => Held::Number(i64::from(*number)),
            Value::Int(number) => Held::Number(i64::from(*number)),
            Value::Long(number) => Held::Number(*number),
            Value::Float(number) => Held::Number(*number as i64),
            Value::Double(number) => Held::Number(*number as i64),
            Value::Node(number) => match nodes.get(*number) {
                Some(Node::String(units)) => Held::Text(units.clone()),
                _ => Held::Something,
            },
        }
    }

    fn distance(&self, other: &Held) -> u64 {
        match (self, other) {
            (one, other) if one == other => 0,
            (Held::Number(one), Held::Number(other)) => one.abs_diff(*other).min(FARTHEST),
            (Held::Something, Held::Text(_)) | (Held::Text(_), Held::Something) => 0,
            (Held::Text(_), Held::Text(_)) => OTHER / 2,
            _ => OTHER,
        }
    }
}

impl Wanted {
    /// The state that a call was found with whose object was set behind its back.
    pub fn of(found: &Found) -> Option<Wanted> {
        let Some(Make::Forced { fields, .. }) = &found.shape.receiver else { return None };
        let held = |made: &Make| match made {
            Make::Leaf { number, .. } => {
                Held::of(found.input.arguments.get(*number).unwrap_or(&Value::Null), &found.input.nodes)
            }
            Make::Null(_) => Held::Null,
            _ => Held::Something,
        };
        let fields = fields.iter().map(|(field, made)| (field.name.clone(), held(made)));
        Some(Wanted { fields: fields.collect() })
    }

    /// How far an object is from it.
    pub fn distance(&self, object: &Graph) -> u64 {
        let Value::Node(root) = object.root else { return u64::MAX };
        let Some(Node::Object { fields, .. }) = object.nodes.get(root) else { return u64::MAX };
        let far = self.fields.iter().map(|(name, held)| {
            // Of fields of one name the one below is meant.
            let own = fields.iter().rev().find(|(own, _)| own == name);
            own.map_or(OTHER, |(_, value)| Held::of(value, &object.nodes).distance(held))
        });
        far.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{Held, Wanted};
    use testcase::{Graph, Node, Value};

    #[test]
    fn a_step_towards_a_number_counts() {
        let wanted = Wanted { fields: vec![("count".into(), Held::Number(50)), ("next".into(), Held::Null)] };
        let of = |count: i32, next: Value| {
            let fields = vec![("count".to_string(), Value::Int(count)), ("next".to_string(), next)];
            let nodes = vec![Node::Object { class: "A".into(), fields }];
            wanted.distance(&Graph { root: Value::Node(0), nodes })
        };
        assert_eq!(of(50, Value::Null), 0);
        assert!(of(48, Value::Null) < of(47, Value::Null));
        assert!(of(50, Value::Node(0)) > 0);
    }
}
