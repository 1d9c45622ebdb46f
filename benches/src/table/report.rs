//! A row of the table: what was measured, what it may be, and the verdict.

use std::sync::OnceLock;

static SUBJECTS: OnceLock<Vec<String>> = OnceLock::new();

/// The subjects to measure; all where there are none.
pub fn only(subjects: Vec<String>) {
    SUBJECTS.get_or_init(|| subjects);
}

/// What the others are compared with: always measured.
const REFERENCES: [&str; 2] = ["bare", "hand"];

pub fn is_asked(subject: &str) -> bool {
    if REFERENCES.contains(&subject) {
        return true;
    }
    SUBJECTS.get().is_none_or(|asked| asked.is_empty() || asked.iter().any(|asked| asked == subject))
}

/// What a row may be.
#[derive(Clone, Copy)]
pub enum Bar {
    /// So much.
    Most(f64),
    /// So much where the loop by hand costs `hand`; where it costs more, as much above it.
    Beside { hand: f64, most: f64 },
    /// Nothing is asked.
    None,
}

pub struct Line {
    pub what: String,
    values: Vec<(&'static str, f64)>,
    bar: Bar,
}

impl Line {
    pub fn new(what: &str, bar: Bar, values: Vec<(&'static str, f64)>) -> Self {
        let values = values.into_iter().filter(|(subject, _)| is_asked(subject)).collect();
        Self { what: what.to_owned(), values, bar }
    }

    /// The same above the bare operation, which then has no part in it.
    pub fn above_bare(mut self) -> Self {
        let bare = self.of("bare").unwrap_or_default();
        self.values.retain(|(subject, _)| *subject != "bare");
        self.values.iter_mut().for_each(|(_, value)| *value -= bare);
        self
    }

    pub fn of(&self, subject: &str) -> Option<f64> {
        self.values.iter().find(|(known, _)| *known == subject).map(|(_, value)| *value)
    }

    fn peers(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.values.iter().copied().filter(|(subject, _)| !["bare", "hand", "ours"].contains(subject))
    }

    fn bar(&self) -> Option<f64> {
        match self.bar {
            Bar::Most(most) => Some(most),
            Bar::Beside { hand, most } => self.of("hand").map(|measured| most + (measured - hand).max(0.0)),
            Bar::None => None,
        }
    }

    /// Whether ours is within the bar; half a unit of what is shown is no miss.
    pub fn is_met(&self) -> bool {
        match (self.of("ours"), self.bar()) {
            (Some(ours), Some(bar)) => ours <= bar + if bar < 10.0 { 0.005 } else { 0.5 },
            _ => true,
        }
    }

    pub fn shown(&self) -> String {
        let best = self.peers().min_by(|a, b| a.1.total_cmp(&b.1));
        let worst = self.peers().max_by(|a, b| a.1.total_cmp(&b.1));
        let peer = |peer: Option<(&str, f64)>| {
            peer.map_or_else(
                || "–".to_owned(),
                |(name, value)| format!("{} {}", name.replace('_', "-"), number(value)),
            )
        };
        let or_none = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
        let verdict = match (self.bar(), self.is_met()) {
            (None, _) => "–",
            (_, true) => "met",
            (_, false) => "missed",
        };
        format!(
            "| {} | {} | {} | {} | {} | {} | {verdict} |",
            self.what,
            or_none(self.of("hand")),
            or_none(self.of("ours")),
            peer(best),
            peer(worst),
            or_none(self.bar()),
        )
    }
}

fn number(value: f64) -> String {
    if value.abs() < 10.0 && value.fract() != 0.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}
