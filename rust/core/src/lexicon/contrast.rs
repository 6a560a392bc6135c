//! Words by which statements of a dialogue agree or clash.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::listed::WordSet;
use super::logic::{logic, opposites};

/// The lists of `data/en/contrast.tsv`, and the opposites.
#[derive(Debug, Default)]
pub struct Contrast {
    correction: WordSet,
    scheduling: Vec<&'static str>,
    single: WordSet,
    dated: WordSet,
    happening: WordSet,
    placed: WordSet,
    counted: WordSet,
    effect: Vec<&'static str>,
    crowd: WordSet,
    which: WordSet,
    part: WordSet,
    when: WordSet,
    light: WordSet,
    loose: WordSet,
    charged: WordSet,
    change: Vec<&'static str>,
    post: WordSet,
    personal: WordSet,
    polite: WordSet,
    adding: WordSet,
    thinking: WordSet,
    denied: WordSet,
    supposed: WordSet,
    reporting: WordSet,
    /// By the first word.
    states: FxHashMap<&'static str, Vec<(Vec<&'static str>, &'static str)>>,
    ordinal: WordSet,
    level: WordSet,
    states_of_one: WordSet,
    opposites: FxHashMap<&'static str, Vec<&'static str>>,
}

/// What stands after a verb's root in its forms.
const ENDINGS: [&str; 6] = ["", "e", "s", "es", "ed", "ing"];

/// The shipped lists.
#[must_use]
pub fn contrast() -> &'static Contrast {
    static TABLE: OnceLock<Contrast> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Contrast::default();
        for line in table!("contrast.tsv").lines() {
            let Some((class, items)) = line.split_once('\t') else {
                continue;
            };
            let items = items.split(';');
            match class {
                "correction" => table.correction.extend(items),
                "scheduling" => table.scheduling.extend(items),
                "single" => table.single.extend(items),
                "dated" => table.dated.extend(items),
                "counted" => table.counted.extend(items),
                "happening" => table.happening.extend(items),
                "placed" => table.placed.extend(items),
                "effect" => table.effect.extend(items),
                "crowd" => table.crowd.extend(items),
                "which" => table.which.extend(items),
                "part" => table.part.extend(items),
                "when" => table.when.extend(items),
                "loose" => table.loose.extend(items),
                "light" => table.light.extend(items),
                "charged" => table.charged.extend(items),
                "change" => table.change.extend(items),
                "post" => table.post.extend(items),
                "personal" => table.personal.extend(items),
                "polite" => table.polite.extend(items),
                "adding" => table.adding.extend(items),
                "thinking" => table.thinking.extend(items),
                "denied" => table.denied.extend(items),
                "ordinal" => table.ordinal.extend(items),
                "level" => table.level.extend(items),
                "state" => {
                    let one = |item: &'static str| {
                        let (words, state) = item.split_once('=')?;
                        Some((words.split(' ').collect::<Vec<&'static str>>(), state))
                    };
                    for (words, state) in items.filter_map(one) {
                        let own = table.states.entry(words[0]).or_default();
                        own.push((words, state));
                    }
                }
                "supposed" => table.supposed.extend(items),
                "reporting" => table.reporting.extend(items),
                _ => {}
            }
        }
        for (a, b) in opposites("state") {
            table.states_of_one.extend([a, b]);
        }
        for (a, b) in opposites("turn") {
            table.opposites.entry(a).or_default().push(b);
            table.opposites.entry(b).or_default().push(a);
        }
        table
    })
}

/// Whether the word is a regular form of one of the verbs.
fn is_form(verbs: &[&str], word: &str) -> bool {
    verbs.iter().any(|base| {
        let root = base.strip_suffix('e').unwrap_or(base);
        word.strip_prefix(root)
            .is_some_and(|ending| ENDINGS.contains(&ending))
    })
}

impl Contrast {
    /// Whether the folded word marks that something replaces what was said before.
    #[must_use]
    pub fn corrects(&self, word: &str) -> bool {
        self.correction.contains(word)
    }

    /// Whether the folded word is a form of a verb whose object gets a date ("booked").
    #[must_use]
    pub fn schedules(&self, word: &str) -> bool {
        is_form(&self.scheduling, word)
    }

    /// Whether an attribute has one value at a time.
    #[must_use]
    pub fn is_single(&self, attribute: &str) -> bool {
        self.single.contains(attribute)
    }

    /// Whether an attribute's value is one date.
    #[must_use]
    pub fn is_dated(&self, attribute: &str) -> bool {
        self.dated.contains(attribute)
    }

    /// Whether the verb, in its base form, tells what befalls one thing once.
    #[must_use]
    pub fn happens(&self, verb: &str) -> bool {
        self.happening.contains(verb)
    }

    /// Whether the attribute's date is the same wherever its sentence says that it was.
    #[must_use]
    pub fn is_placed(&self, attribute: &str) -> bool {
        self.placed.contains(attribute)
    }

    /// Whether what the verb's object counts is an attribute of its subject.
    #[must_use]
    pub fn counts(&self, verb: &str) -> bool {
        self.counted.contains(verb)
    }

    /// Whether the folded word claims an effect or a trend ("increases").
    #[must_use]
    pub fn is_effect(&self, word: &str) -> bool {
        is_form(&self.effect, word)
    }

    /// Whether the folded word names those of whom figures are told ("patients").
    #[must_use]
    pub fn is_crowd(&self, word: &str) -> bool {
        self.crowd.contains(word)
    }

    /// Whether the folded word tells one of a kind from others of it ("next").
    #[must_use]
    pub fn selects(&self, word: &str) -> bool {
        self.which.contains(word)
    }

    /// Whether the folded word speaks of a part of a kind ("some").
    #[must_use]
    pub fn is_part(&self, word: &str) -> bool {
        self.part.contains(word)
    }

    /// Whether the folded word says when ("yesterday").
    #[must_use]
    pub fn is_when(&self, word: &str) -> bool {
        self.when.contains(word)
    }

    /// Whether the folded word adds nothing to what is said ("place" in "take place").
    #[must_use]
    pub fn is_light(&self, word: &str) -> bool {
        self.light.contains(word)
    }

    /// Whether the folded preposition only adds to what is said ("with").
    #[must_use]
    pub fn is_loose(&self, word: &str) -> bool {
        self.loose.contains(word)
    }

    /// Whether the folded noun is something that is paid for, so that "free" names its price.
    #[must_use]
    pub fn is_charged(&self, word: &str) -> bool {
        self.charged.contains(word)
    }

    /// Whether the folded noun is a place that one person fills at a time ("the director").
    #[must_use]
    pub fn is_post(&self, word: &str) -> bool {
        self.post.contains(word) || logic().has("role", word)
    }

    /// Whether the folded noun is what people say of themselves ("my budget", "my brother").
    #[must_use]
    pub fn is_personal(&self, word: &str) -> bool {
        self.personal.contains(word)
    }

    /// Whether the folded word only opens or answers a turn ("please", "sure").
    #[must_use]
    pub fn is_polite(&self, word: &str) -> bool {
        self.polite.contains(word)
    }

    /// Whether the folded word orders more, less or another of something ("add").
    #[must_use]
    pub fn is_adding(&self, word: &str) -> bool {
        self.adding.contains(word)
    }

    /// Whether the folded verb makes what follows it somebody's view ("I think").
    #[must_use]
    pub fn supposes(&self, word: &str) -> bool {
        self.thinking.contains(word)
    }

    /// Whether the folded word is a form of a verb that makes something otherwise ("move").
    #[must_use]
    pub fn changes(&self, word: &str) -> bool {
        is_form(&self.change, word)
    }

    /// Whether the folded word before a noun says that there is none, or hardly any.
    #[must_use]
    pub fn is_denied(&self, word: &str) -> bool {
        self.denied.contains(word)
    }

    /// Whether the folded word makes what follows it a question or a condition.
    #[must_use]
    pub fn is_supposed(&self, word: &str) -> bool {
        self.supposed.contains(word)
    }

    /// Whether the base form is a verb by which somebody reports something.
    #[must_use]
    pub fn reports(&self, base: &str) -> bool {
        self.reporting.contains(base)
    }

    /// The one word for a state that starts at the first of these folded words ("sold out" is
    /// "unavailable"), and how many of them say it.
    #[must_use]
    pub fn state<'w>(&self, word: impl Fn(usize) -> &'w str) -> Option<(&'static str, usize)> {
        let same = |words: &Vec<&str>| (1..words.len()).all(|i| word(i) == words[i]);
        let own = self.states.get(word(0))?;
        let found = own.iter().find(|(words, _)| same(words));
        found.map(|(words, state)| (*state, words.len()))
    }

    /// Whether the folded word names a state that a thing is in for a time ("open").
    #[must_use]
    pub fn is_state(&self, word: &str) -> bool {
        self.states_of_one.contains(word)
    }

    /// Whether two folded words name different places in an order ("first", "third").
    #[must_use]
    pub fn out_of_place(&self, one: &str, other: &str) -> bool {
        one != other && self.ordinal.contains(one) && self.ordinal.contains(other)
    }

    /// Whether the folded noun is what a thing is on one of ("floor").
    #[must_use]
    pub fn is_level(&self, word: &str) -> bool {
        self.level.contains(word)
    }

    /// Opposites of a folded word.
    #[must_use]
    pub fn opposites(&self, word: &str) -> &[&'static str] {
        self.opposites.get(word).map_or(&[], Vec::as_slice)
    }
}
