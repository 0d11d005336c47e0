//! Interned names: class names, member names and descriptors as small numbers.

use rustc_hash::FxHashMap;

/// An interned string of one [`Symbols`] table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub u32);

/// The table behind [`Symbol`]s.
#[derive(Default)]
pub struct Symbols {
    by_text: FxHashMap<&'static str, Symbol>,
    texts: Vec<Box<str>>,
}

impl Symbols {
    /// The symbol of `text`, new or known.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&known) = self.by_text.get(text) {
            return known;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let owned: Box<str> = text.into();
        // SAFETY: the boxed text is never moved out, changed or dropped before the map that borrows it.
        let borrowed: &'static str = unsafe { &*std::ptr::from_ref::<str>(&owned) };
        self.texts.push(owned);
        self.by_text.insert(borrowed, symbol);
        symbol
    }

    /// The symbol of `text` if it was interned before.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.by_text.get(text).copied()
    }

    /// The text behind a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}
