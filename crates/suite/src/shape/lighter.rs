//! The same call with less before it: without a step, a link of a chain of calls, or an element.

use values::input::Input;

use super::{Gives, Make, Shape, Step};

impl Shape {
    /// The shapes in which one thing is left out, each with what is left of an input; the last steps come first.
    pub fn lighter(&self, input: &Input) -> Vec<(Shape, Input)> {
        let mut found = Vec::new();
        for number in 0.. {
            let mut shape = self.clone();
            let mut cut = Cut { left: Some(number) };
            shape.cut(&mut cut);
            if cut.left.is_some() {
                break;
            }
            found.push(shape.without_spare_leaves(input));
        }
        found
    }

    fn cut(&mut self, cut: &mut Cut) {
        cut.run(&mut self.setup, 1);
        self.each_make(&mut |make| match make {
            Make::Built { steps, .. } if steps.len() > 1 => cut.run(steps, 1),
            // Without its only step it is the object.
            Make::Built { object, .. } if cut.is_here() => *make = (**object).clone(),
            // What is empty is a case of its own to whoever reads the test, and plain elements do not bother anybody.
            Make::Array { elements, .. } if elements.len() > 1 && !elements.iter().all(Make::is_plain) => {
                cut.run(elements, 1);
            }
            Make::Collection { class, elements, .. } if !elements.iter().all(Make::is_plain) => {
                let together = if library::is_map(class) { 2 } else { 1 };
                if elements.len() > together {
                    cut.run(elements, together);
                }
            }
            // What gives an object of the same type may be a link of a chain.
            Make::Result { object, kind, .. } if object.kind().as_ref() == Some(kind) && cut.is_here() => {
                *make = (**object).clone();
            }
            _ => {}
        });
    }

    /// Everything that is made, what is around before what is inside.
    fn each_make(&mut self, visit: &mut dyn FnMut(&mut Make)) {
        self.receiver.iter_mut().for_each(|made| made.each(visit));
        self.setup.iter_mut().for_each(|step| step.each(visit));
        self.arguments.iter_mut().for_each(|made| made.each(visit));
    }

    /// Takes leaves out that nothing is made of any more.
    fn without_spare_leaves(mut self, input: &Input) -> (Shape, Input) {
        let mut used = vec![false; self.leaves.len()];
        self.each_make(&mut |make| {
            if let Make::Leaf { number, .. } | Make::Boxed { number, .. } = make {
                used[*number] = true;
            }
        });
        let place = |number: usize| used[..number].iter().filter(|used| **used).count();
        self.each_make(&mut |make| {
            if let Make::Leaf { number, .. } | Make::Boxed { number, .. } = make {
                *number = place(*number);
            }
        });
        self.turns.retain(|(first, later)| used[*first] && used[*later]);
        self.turns.iter_mut().for_each(|(first, later)| (*first, *later) = (place(*first), place(*later)));
        let mut input = input.clone();
        keep(&mut self.leaves, &used);
        keep(&mut self.names, &used);
        keep(&mut input.names, &used);
        keep(&mut input.arguments, &used);
        (self, input)
    }
}

/// What is left out: how many things come before it, or none if it was done.
struct Cut {
    left: Option<usize>,
}

impl Cut {
    /// Whether it is the thing that comes next.
    fn is_here(&mut self) -> bool {
        let is_here = self.left == Some(0);
        self.left = self.left.and_then(|left| left.checked_sub(1));
        is_here
    }

    /// Takes so many things out together if they are what comes next, counted from the end.
    fn run<T>(&mut self, list: &mut Vec<T>, together: usize) {
        let place = (0..list.len() / together).rev().find(|_| self.is_here());
        if let Some(place) = place {
            list.drain(place * together..(place + 1) * together);
        }
    }
}

/// Keeps what is at places that are used.
fn keep<T>(list: &mut Vec<T>, used: &[bool]) {
    let mut place = used.iter();
    list.retain(|_| place.next().copied().unwrap_or(true));
}

impl Step {
    fn each(&mut self, visit: &mut dyn FnMut(&mut Make)) {
        match self {
            Step::Call { arguments, .. } => arguments.iter_mut().for_each(|made| made.each(visit)),
            Step::Write { value, .. } => value.each(visit),
        }
    }
}

impl Make {
    fn each(&mut self, visit: &mut dyn FnMut(&mut Make)) {
        visit(self);
        match self {
            Make::Leaf { .. } | Make::Boxed { .. } | Make::Text(_) | Make::ClassOf(_) => {}
            Make::Null(_) | Make::Receiver | Make::Constant { .. } => {}
            Make::Argument { .. } | Make::Around { .. } => {}
            Make::New { arguments: parts, .. }
            | Make::Factory { arguments: parts, .. }
            | Make::Collection { elements: parts, .. }
            | Make::Array { elements: parts, .. } => parts.iter_mut().for_each(|part| part.each(visit)),
            Make::Cast { object, .. } => object.each(visit),
            Make::Result { object, arguments, .. } => {
                object.each(visit);
                arguments.iter_mut().for_each(|part| part.each(visit));
            }
            Make::Built { object, steps } => {
                object.each(visit);
                steps.iter_mut().for_each(|step| step.each(visit));
            }
            Make::Forced { object, fields } => {
                object.each(visit);
                fields.iter_mut().for_each(|(_, value)| value.each(visit));
            }
            Make::Function { answer, .. } => answer.gives.each(visit),
            Make::Implementation { constructor, answers, .. } => {
                let arguments = constructor.iter_mut().flat_map(|(_, arguments)| arguments);
                arguments.for_each(|part| part.each(visit));
                answers.iter_mut().for_each(|answer| answer.gives.each(visit));
            }
        }
    }
}

impl Gives {
    fn each(&mut self, visit: &mut dyn FnMut(&mut Make)) {
        match self {
            Gives::Nothing => {}
            Gives::Value(made) | Gives::Throws(made) => made.each(visit),
            Gives::InTurn(first, later) => {
                first.each(visit);
                later.each(visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use testcase::Value;

    use super::*;
    use crate::shape::Member;
    use crate::types::Type;

    #[test]
    fn a_step_goes_with_its_leaves() {
        let method = |name: &str| Member {
            class: "A".into(),
            name: name.into(),
            descriptor: "(I)V".into(),
            is_static: false,
        };
        let leaf = |number: usize| Make::Leaf { number, kind: Type::Primitive('I') };
        let step = |name: &str, number| Step::Call { method: method(name), arguments: vec![leaf(number)] };
        let shape = Shape {
            receiver: None,
            setup: vec![step("first", 0), step("second", 1)],
            act: method("act"),
            given_by: None,
            arguments: vec![leaf(2)],
            leaves: vec![Type::Primitive('I'); 3],
            names: ["a", "b", "c"].map(String::from).into(),
            turns: Vec::new(),
            reflected: false,
        };
        let input = Input { arguments: [1, 2, 3].map(Value::Int).into(), ..Input::default() };
        let lighter = shape.lighter(&input);
        let told: Vec<_> = lighter
            .iter()
            .map(|(shape, input)| {
                let steps: Vec<&str> = shape.setup.iter().map(|step| step.member().name.as_str()).collect();
                (steps, shape.arguments.clone(), shape.names.clone(), input.arguments.clone())
            })
            .collect();
        let names = |names: [&str; 2]| names.map(String::from).to_vec();
        let numbers = |numbers: [i32; 2]| numbers.map(Value::Int).to_vec();
        assert_eq!(
            told,
            [
                (vec!["first"], vec![leaf(1)], names(["a", "c"]), numbers([1, 3])),
                (vec!["second"], vec![leaf(1)], names(["b", "c"]), numbers([2, 3])),
            ]
        );
    }

    #[test]
    fn a_link_goes_out_of_a_chain() {
        let method =
            Member { class: "A".into(), name: "with".into(), descriptor: "()LA;".into(), is_static: false };
        let kind = Type::named("A");
        let start = Make::Null(kind.clone());
        let link = |object: Make| Make::Result {
            object: Box::new(object),
            method: method.clone(),
            kind: kind.clone(),
            arguments: Vec::new(),
        };
        let shape = Shape {
            receiver: Some(link(link(start.clone()))),
            setup: Vec::new(),
            act: method.clone(),
            given_by: None,
            arguments: Vec::new(),
            leaves: Vec::new(),
            names: Vec::new(),
            turns: Vec::new(),
            reflected: false,
        };
        let lighter = shape.lighter(&Input::default());
        let receivers: Vec<_> = lighter.into_iter().filter_map(|(shape, _)| shape.receiver).collect();
        assert_eq!(receivers, [link(start.clone()), link(start)]);
    }
}
