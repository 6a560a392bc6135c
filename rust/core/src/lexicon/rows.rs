//! Wording that changes what a sentence says of a table.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

/// The lists of `data/en/rows.tsv`.
#[derive(Debug, Default)]
pub struct RowWords {
    denial: FxHashSet<&'static str>,
    other: FxHashSet<&'static str>,
    speaker: FxHashSet<&'static str>,
    booking: FxHashSet<&'static str>,
    topic: FxHashSet<&'static str>,
    has: FxHashSet<&'static str>,
    asking: FxHashSet<&'static str>,
    beside: FxHashSet<&'static str>,
    adds: FxHashSet<&'static str>,
    view: FxHashSet<&'static str>,
    setting: FxHashSet<&'static str>,
    calendar: FxHashSet<&'static str>,
    bound: FxHashSet<&'static str>,
    wish: FxHashSet<&'static str>,
    link: FxHashSet<&'static str>,
    lead: FxHashSet<&'static str>,
    joins: FxHashSet<&'static str>,
    clause: Vec<&'static str>,
    pair: FxHashSet<&'static str>,
    today: FxHashSet<&'static str>,
    forecast: FxHashSet<&'static str>,
    future: FxHashSet<&'static str>,
    beside_of: FxHashSet<&'static str>,
    passing: FxHashSet<&'static str>,
    alike: Vec<FxHashSet<&'static str>>,
}

/// The shipped lists.
#[must_use]
pub fn words() -> &'static RowWords {
    static TABLE: OnceLock<RowWords> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = RowWords::default();
        for line in table!("rows.tsv").lines() {
            let Some((class, items)) = line.split_once('\t') else {
                continue;
            };
            let list = match class {
                "denial" => &mut table.denial,
                "other" => &mut table.other,
                "speaker" => &mut table.speaker,
                "booking" => &mut table.booking,
                "topic" => &mut table.topic,
                "has" => &mut table.has,
                "asking" => &mut table.asking,
                "beside" => &mut table.beside,
                "adds" => &mut table.adds,
                "view" => &mut table.view,
                "setting" => &mut table.setting,
                "calendar" => &mut table.calendar,
                "bound" => &mut table.bound,
                "wish" => &mut table.wish,
                "link" => &mut table.link,
                "lead" => &mut table.lead,
                "joins" => &mut table.joins,
                "pair" => &mut table.pair,
                "today" => &mut table.today,
                "forecast" => &mut table.forecast,
                "future" => &mut table.future,
                "beside_of" => &mut table.beside_of,
                "passing" => &mut table.passing,
                "clause" => {
                    table.clause = items.split(';').collect();
                    continue;
                }
                "alike" => {
                    table.alike.push(items.split(';').collect());
                    continue;
                }
                _ => continue,
            };
            list.extend(items.split(';'));
        }
        table
    })
}

fn any(list: &FxHashSet<&str>, text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '’'))
        .any(|word| list.contains(&*word.to_lowercase().replace('’', "'")))
}

impl RowWords {
    /// Whether a sentence denies something: then its values need not stand together.
    #[must_use]
    pub fn denies(&self, text: &str) -> bool {
        any(&self.denial, text)
    }

    /// Whether whoever speaks puts something new down ("I scheduled a match for Friday").
    #[must_use]
    pub fn books(&self, text: &str) -> bool {
        let sets = || any(&self.setting, text) && any(&self.calendar, text);
        any(&self.speaker, text) && (any(&self.booking, text) || sets())
    }

    /// Whether a sentence bounds what it names ("under $140", "by 12:15", "my budget is $140").
    #[must_use]
    pub fn bounds(&self, text: &str) -> bool {
        any(&self.bound, text)
    }

    /// Whether a sentence says what somebody wants.
    #[must_use]
    pub fn wishes(&self, text: &str) -> bool {
        any(&self.wish, text)
    }

    /// Whether a noun stands for what a row is about, or for the kind of a value.
    #[must_use]
    pub fn is_topic(&self, word: &str) -> bool {
        any(&self.topic, word)
    }

    /// Whether a verb gives the row something that it has or offers.
    #[must_use]
    pub fn has_thing(&self, word: &str) -> bool {
        any(&self.has, word)
    }

    /// Whether a sentence asks rather than tells: it ends in a question mark and opens like a
    /// question, or the part behind its last comma does.
    #[must_use]
    pub fn asks(&self, text: &str) -> bool {
        let text = text.trim_end_matches(|c: char| c != '?' && !c.is_alphanumeric());
        let opens = |part: &str| {
            part.split_whitespace()
                .next()
                .is_some_and(|word| any(&self.asking, word.trim_end_matches(',')))
        };
        text.ends_with('?') && (opens(text) || text.rsplit(", ").next().is_some_and(opens))
    }

    /// Whether the last word of a text places something beside what follows it.
    #[must_use]
    pub fn places_beside(&self, text: &str) -> bool {
        let last = text.split_whitespace().next_back().unwrap_or("");
        self.beside.contains(&*last.to_lowercase())
    }

    /// Whether words say that something is added to what is known.
    #[must_use]
    pub fn adds(&self, text: &str) -> bool {
        any(&self.adds, text)
    }

    /// Whether somebody says how a thing strikes them ("I would call it cheap").
    #[must_use]
    pub fn views(&self, text: &str) -> bool {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        words
            .first()
            .is_some_and(|word| any(&self.speaker, word) || word == "i'd")
            && words.iter().any(|word| self.view.contains(word.as_str()))
    }

    /// Whether a question asks for something other than what was spoken of, or for several.
    #[must_use]
    pub fn asks_for_other(&self, text: &str) -> bool {
        any(&self.other, text)
    }

    /// Whether a word joins a value to what stands before it, and says no more.
    #[must_use]
    pub fn links(&self, word: &str) -> bool {
        self.link.contains(word) || self.joins(word)
    }

    /// Whether a word may open a sentence on a row without turning what it says.
    #[must_use]
    pub fn leads(&self, word: &str) -> bool {
        self.lead.contains(word)
    }

    /// Whether a word is a verb that says a value of a row.
    #[must_use]
    pub fn joins(&self, word: &str) -> bool {
        self.joins.contains(word)
    }

    /// Whether two words join a value together, of which one alone does not ("the way to").
    #[must_use]
    pub fn pairs(&self, one: &str, other: &str) -> bool {
        self.pair.contains(format!("{one} {other}").as_str())
    }

    /// Whether a word ties what is said to the present time.
    #[must_use]
    pub fn of_today(&self, word: &str) -> bool {
        self.today.contains(word)
    }

    /// Whether a word stands for what is told ahead ("weather").
    #[must_use]
    pub fn forecasts(&self, word: &str) -> bool {
        self.forecast.contains(word)
    }

    /// Whether a word tells ahead.
    #[must_use]
    pub fn tells_ahead(&self, word: &str) -> bool {
        self.future.contains(word)
    }

    /// Whether what stands behind the word is only there for comparison or place ("after").
    #[must_use]
    pub fn beside_of(&self, word: &str) -> bool {
        self.beside_of.contains(word) || self.beside.contains(word)
    }

    /// Whether a word says that something holds for a time only.
    #[must_use]
    pub fn passing(&self, word: &str) -> bool {
        self.passing.contains(word)
    }

    /// Words at which another clause starts.
    pub fn clause_words(&self) -> impl Iterator<Item = &'static str> {
        self.clause.iter().copied()
    }

    /// Whether two words speak of one kind of column ("costs", "price").
    #[must_use]
    pub fn alike(&self, one: &str, other: &str) -> bool {
        let both = |set: &FxHashSet<&str>| set.contains(one) && set.contains(other);
        self.alike.iter().any(both)
    }
}
