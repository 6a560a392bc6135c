//! Tests of `kb`.

use std::collections::BTreeMap;
use std::sync::Arc;

use groundwire_core::error::Category;
use groundwire_core::kb::{
    Agreement, Date, Fact, KbBuilder, KnowledgeBase, Qualifier, Record, Said, Snapshot, Table,
    Value, ValueType, World, parse_record, predicate_key,
};
use groundwire_core::lexicon::Additions;
use groundwire_core::normal::fold_name;
use groundwire_core::segment;
use groundwire_core::types::Resolution;
use proptest::prelude::*;
use serde_json::json;

fn number(value: f64, unit: &str) -> Value {
    Value::Number {
        value,
        unit: (!unit.is_empty()).then(|| unit.to_owned()),
    }
}

fn sample() -> KbBuilder {
    let mut builder = KbBuilder::new();
    let mut role = Fact::new("role", Value::Text("lead".into()));
    role.qualifiers.push(Qualifier {
        name: "project".into(),
        value: Value::Entity("Atlas".into()),
    });
    role.source = Some("hr.csv".into());
    role.confidence = 0.75;
    role.valid_from = Date::parse_iso("2015-03-01");
    role.valid_to = Date::parse_iso("2019");
    let mut alice = Record::named("Alice Chen")
        .alias("A. Chen")
        .kind("person")
        .fact("Opening hours", number(-1.5, "km"));
    alice.facts.push(role);
    builder.add(alice).expect("valid");
    builder
        .add(
            Record::named("Atlas")
                .fact("open", Value::Bool(true))
                .fact("open", Value::Bool(false)),
        )
        .expect("valid");
    builder
        .add(Record::named("Zoë’s Café").fact("mail", Value::Email("z@x.org".into())))
        .expect("valid");
    builder.set_world(World {
        closed: false,
        closed_predicates: vec!["Role".into()],
    });
    builder
}

#[test]
fn what_goes_in_comes_out() {
    let kb = sample().build().expect("built").snapshot();
    assert_eq!(kb.len(), 3);
    let alice = kb.find("alice chen")[0];
    assert_eq!(kb.find("a chen"), [alice]);
    assert_eq!(kb.find("ZOE'S CAFE").len(), 1);
    assert_eq!(kb.find_key("Alice Chen"), Some(alice));
    assert_eq!(kb.find_key("alice chen"), None);
    let entity = kb.entity(alice).expect("there");
    assert_eq!(
        (entity.name.as_str(), entity.kind.as_str()),
        ("Alice Chen", "person")
    );
    let role = &kb.facts(alice, Some("Role"))[0];
    assert_eq!(role.qualifiers[0].value, Value::Entity("Atlas".into()));
    assert_eq!(
        (role.source.as_deref(), role.confidence),
        (Some("hr.csv"), 0.75)
    );
    assert_eq!(
        role.valid_from.map(|d| d.to_string()).as_deref(),
        Some("2015-03-01")
    );
    assert_eq!(
        role.valid_to.map(|d| d.to_string()).as_deref(),
        Some("2019")
    );
    assert_eq!(
        kb.facts(alice, Some("opening-hours"))[0].value,
        number(-1.5, "km")
    );
    assert_eq!(kb.facts(kb.find("Atlas")[0], None).len(), 2);
    assert_eq!(
        kb.attribute_names(),
        ["mail", "open", "opening_hours", "role"]
    );
    assert!(matches!(kb.names().lookup("A. Chen"), Resolution::Known(ids) if ids == [alice]));
}

// req: U-7
#[test]
fn worlds() {
    let mut kb = sample().build().expect("built");
    assert!(
        kb.view().is_closed(Some("role"))
            && !kb.view().is_closed(Some("mail"))
            && !kb.view().is_closed(None)
    );
    kb.set_world(World {
        closed: true,
        closed_predicates: Vec::new(),
    });
    assert!(kb.view().is_closed(None) && kb.view().is_closed(Some("mail")));
    let again =
        KnowledgeBase::from_bytes(Arc::new(kb.view().to_bytes().expect("bytes"))).expect("read");
    assert!(again.view().is_closed(None));
}

/// Puts a fact beside those of an entity.
fn add_fact(kb: &mut KnowledgeBase, id: u32, fact: Fact) {
    let mut record = kb.view().record(id).expect("known");
    record.facts.push(fact);
    kb.upsert(record).expect("valid");
}

#[test]
fn changes_and_snapshots() {
    let mut kb = sample().build().expect("built");
    let before = kb.snapshot();
    let alice = before.find("Alice Chen")[0];
    add_fact(
        &mut kb,
        alice,
        Fact::new("role", Value::Text("director".into())),
    );
    assert_eq!(kb.view().facts(alice, Some("role")).len(), 2);
    let bob = kb
        .upsert(Record::named("Bob Ray").alias("Bobby"))
        .expect("valid");
    assert_eq!(kb.view().len(), 4);
    assert!(matches!(kb.view().names().lookup("Bobby"), Resolution::Known(ids) if ids == [bob]));
    assert!(kb.remove(alice) && !kb.remove(alice) && !kb.remove(999));
    assert_eq!(kb.view().len(), 3);
    assert!(kb.view().find("Alice Chen").is_empty());
    assert!(!matches!(
        kb.view().names().lookup("A. Chen"),
        Resolution::Known(_)
    ));
    assert_eq!(kb.remove_facts(bob, "role").expect("known"), 0);
    assert_eq!(
        kb.remove_facts(alice, "role").expect_err("gone").category(),
        Category::NotFound
    );
    // The snapshot saw none of it.
    assert_eq!(before.len(), 3);
    assert_eq!(
        before.facts(alice, Some("role"))[0].value,
        Value::Text("lead".into())
    );
    assert!(before.find("Bobby").is_empty());
    assert!(matches!(
        before.names().lookup("A. Chen"),
        Resolution::Known(_)
    ));
}

#[test]
fn what_cannot_be_taken_is_refused_and_changes_nothing() {
    let mut builder = sample();
    let refused = |builder: &mut KbBuilder, record: Record, word: &str| {
        let before = builder.len();
        let error = builder.add(record).expect_err("refused");
        assert!(error.message().contains(word), "{}", error.message());
        assert_eq!(builder.len(), before);
    };
    refused(&mut builder, Record::named("Atlas"), "used twice");
    refused(&mut builder, Record::named(" — "), "name");
    refused(
        &mut builder,
        Record::named("X").fact("n", number(f64::NAN, "")),
        "finite",
    );
    let mut unsure = Record::named("X").fact("n", Value::Bool(true));
    unsure.facts[0].confidence = 1.5;
    refused(&mut builder, unsure, "between 0 and 1");
    let mut backwards = Record::named("X").fact("n", Value::Bool(true));
    backwards.facts[0].valid_from = Date::parse_iso("2020");
    backwards.facts[0].valid_to = Date::parse_iso("2019");
    refused(&mut builder, backwards, "ends before");
    refused(
        &mut builder,
        Record::named("X").fact("—", Value::Bool(true)),
        "attribute name",
    );
}

#[test]
fn values_from_text() {
    let number_of = |text: &str| match Value::infer(text) {
        Value::Number { value, unit } => (value, unit.unwrap_or_default()),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(number_of("1,204"), (1204.0, String::new()));
    assert_eq!(number_of("12 km"), (12.0, "km".into()));
    assert_eq!(number_of("$5M"), (5e6, "USD".into()));
    assert_eq!(number_of("40%"), (40.0, "%".into()));
    assert_eq!(number_of("1987"), (1987.0, String::new()));
    for (text, of) in [
        ("2 May 1987", ValueType::Date),
        ("1987-05-02", ValueType::Date),
        ("1987-05-02T00:00:00Z", ValueType::Date),
        ("1987-05-02 00:00:00.000000", ValueType::Date),
        ("1987-05-02T00:00:00+02:00", ValueType::Date),
        ("1987-05-02T15:30", ValueType::Text),
        ("1987-05-02 09:00-12:00", ValueType::Text),
        ("1987-05-02T25:00", ValueType::Text),
        ("85/100", ValueType::Text),
        ("3/4 inch", ValueType::Number),
        ("a.b@c.example", ValueType::Email),
        ("true", ValueType::Bool),
        ("Engineering", ValueType::Text),
        ("0049 123", ValueType::Text),
        ("00123", ValueType::Text),
        ("1987-13-02", ValueType::Text),
        ("Room 12", ValueType::Text),
        ("9:00-17:00", ValueType::Text),
        ("", ValueType::Text),
    ] {
        assert_eq!(Value::infer(text).value_type(), of, "{text}");
    }
    assert!(Value::parse("30 February 2020", ValueType::Date).is_err());
    assert_eq!(
        Value::parse("1987", ValueType::Date)
            .expect("year")
            .to_string(),
        "1987"
    );
    assert!(Value::parse("abc", ValueType::Number).is_err());
    assert!(ValueType::parse("colour").is_err());
}

fn agreement(kb: &Snapshot, value: &Value, text: &str) -> Agreement {
    let (quantities, dates) = (segment::quantities(text), segment::dates(text));
    let found = kb.find(text);
    kb.agrees(
        value,
        &Said {
            text,
            quantities: &quantities,
            dates: &dates,
            entities: &found,
        },
    )
}

#[test]
fn agreement_by_type() {
    let kb = sample().build().expect("built").snapshot();
    let date = |text: &str| Value::Date(Date::parse_iso(text).expect("date"));
    let text = |text: &str| Value::Text(text.into());
    use Agreement::{Different, Incomparable, Same};
    for (value, said, want) in [
        (number(5_012_345.0, ""), "about 5 million", Same),
        (number(5_012_345.0, ""), "5 million", Same),
        (number(5_012_345.0, ""), "5,012,346", Different),
        (number(5_012_345.0, "USD"), "$5 million", Same),
        (number(5_012_345.0, "USD"), "5 million euros", Incomparable),
        (number(3218.0, "m"), "3.2 km", Same),
        (number(2.0, "mile"), "3.2 km", Same),
        (number(2.0, "mile"), "4 km", Different),
        (number(14.0, ""), "14 rooms", Same),
        (number(14.0, ""), "15 rooms", Different),
        (number(40.0, "%"), "40%", Same),
        (number(40.0, "%"), "40 rooms", Incomparable),
        (number(1987.0, ""), "in May 1987", Same),
        (number(1987.0, ""), "around 1985", Same),
        (number(1987.0, ""), "around 1960", Different),
        (date("1987-05-02"), "1987", Same),
        (date("1987-05-02"), "May 1987", Same),
        (date("1987-05-02"), "2 May 1987", Same),
        (date("1987-05-02"), "3 May 1987", Different),
        (date("1987-05-02"), "1988", Different),
        (date("1987"), "2 May 1987", Same),
        (date("1987-05-02"), "spring", Incomparable),
        (text("Engineering"), "the engineering department", Same),
        (text("Engineering"), "Sales", Different),
        (
            text("head of data engineering"),
            "head of sales",
            Incomparable,
        ),
        (Value::Enum("retired".into()), "active", Different),
        (Value::Email("a@b.example".into()), "A@B.example.", Same),
        (
            Value::Email("a@b.example".into()),
            "write to c@b.example",
            Different,
        ),
        (Value::Email("a@b.example".into()), "by mail", Incomparable),
        (Value::Entity("Alice Chen".into()), "A. Chen", Same),
        (Value::Entity("Alice Chen".into()), "Atlas", Different),
        (Value::Entity("Alice Chen".into()), "Ms Chen", Same),
        (Value::Bool(true), "no", Different),
        (Value::Bool(true), "perhaps", Incomparable),
    ] {
        assert_eq!(agreement(&kb, &value, said), want, "{value:?} and {said:?}");
    }
}

fn squads() -> Additions {
    let json = r#"{"predicates": {"squad": {"phrases": ["hacks for"]}}}"#;
    serde_json::from_str(json).expect("a lexicon")
}

fn cells(row: [&str; 3]) -> Vec<String> {
    row.map(str::to_owned).to_vec()
}

fn desks() -> Table {
    let mut table = Table::new(cells(["desk", "floor", "team"]), Some("desk")).expect("columns");
    for row in [
        ["A1", "2", "Sales"],
        ["A2", "3", "-"],
        ["A3", "2", "Support"],
    ] {
        table.upsert(&cells(row)).expect("a row");
    }
    table
}

#[test]
fn lexicon_and_tables_are_part_of_a_base() {
    let mut builder = sample();
    builder.set_lexicon(squads());
    builder.put_table("desks", Arc::new(desks()));
    let mut kb = builder.build().expect("a base");
    let before = kb.snapshot();
    let phrase = |view: &Snapshot| {
        let names = view.lexicon().predicates().of_phrase("hack for");
        names.map(|p| p.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(phrase(&before), ["squad"]);
    assert_eq!(before.lexicon().known("hacked").verb, Some("hack"));
    assert_eq!(before.tables()["desks"].cells(1), cells(["A2", "3", ""]));

    kb.change_table("desks", |table| {
        table.upsert(&cells(["A2", "4", "Legal"]))?;
        let gone = table.matching(&[("floor".to_owned(), "2".to_owned())])?;
        assert_eq!(table.remove(&gone), 2);
        Ok(())
    })
    .expect("changed");
    let rows = |view: &Snapshot| {
        let table = &view.tables()["desks"];
        let numbers = table.rows().numbers();
        numbers.map(|row| table.cells(row)).collect::<Vec<_>>()
    };
    assert_eq!(rows(kb.view()), [cells(["A2", "4", "Legal"])]);
    assert_eq!(before.tables()["desks"].rows().len(), 3);

    let again = kb.view().to_bytes().expect("bytes");
    let again = KnowledgeBase::from_bytes(Arc::new(again)).expect("a base");
    assert_eq!(rows(again.view()), rows(kb.view()));
    assert_eq!(phrase(again.view()), ["squad"]);
    assert_eq!(again.view().tables()["desks"].key(), Some(0));

    assert!(kb.put_table("desks", None) && kb.view().tables().is_empty());
    let missing = kb.change_table("desks", |_| Ok(())).expect_err("gone");
    assert_eq!(missing.category(), Category::NotFound);
    let no_key = Table::new(cells(["a", "b", "c"]), Some("d")).expect_err("no such column");
    assert!(no_key.message().contains("a, b, c"));
    let mut table = desks();
    assert!(table.upsert(&cells(["-", "1", "Sales"])).is_err());
    assert!(table.upsert(&["A1".to_owned()]).is_err());
    assert_eq!(table.rows().len(), 3);
}

#[test]
fn damaged_buffers_are_refused_or_answer_nothing() {
    let mut builder = sample();
    builder.set_lexicon(squads());
    builder.put_table("desks", Arc::new(desks()));
    let good = builder.to_bytes().expect("bytes");
    let probe = |bytes: Vec<u8>| {
        let refused = KnowledgeBase::from_bytes(Arc::new(bytes.clone())).expect_err("damaged");
        assert_eq!(refused.category(), Category::Format);
        let Ok(kb) = KnowledgeBase::from_bytes_unverified(Arc::new(bytes)) else {
            return;
        };
        let view = kb.view();
        for id in 0..4 {
            let _ = (view.entity(id), view.facts(id, None), view.names_of(id));
        }
        let _ = (
            view.find("Alice Chen"),
            view.find_key("Atlas"),
            view.attribute_names(),
            view.to_bytes(),
            view.tables().len(),
            view.lexicon().predicates().len(),
        );
        let _ = view.names().lookup("Alice Chin");
    };
    for cut in 0..good.len() {
        assert!(
            KnowledgeBase::from_bytes(Arc::new(good[..cut].to_vec())).is_err(),
            "cut at {cut}"
        );
    }
    for at in 0..good.len() {
        for bit in [0x01, 0x80, 0xff] {
            let mut bytes = good.clone();
            bytes[at] ^= bit;
            probe(bytes);
        }
    }
    let mut longer = good.clone();
    longer.extend([0; 8]);
    assert!(KnowledgeBase::from_bytes(Arc::new(longer)).is_err());
    let mut newer = good;
    newer[4] = 9;
    let error = KnowledgeBase::from_bytes(Arc::new(newer)).expect_err("version");
    assert_eq!(error.category(), Category::Format);
    assert!(error.message().contains('9') && error.message().contains("save it again"));
}

#[derive(Debug, Clone)]
enum Step {
    Put(u8, u8),
    Fact(u8, u8),
    Remove(u8),
    Reload,
    Keep,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let one = prop_oneof![
        4 => (0_u8..6, any::<u8>()).prop_map(|(n, v)| Step::Put(n, v)),
        3 => (0_u8..6, any::<u8>()).prop_map(|(n, v)| Step::Fact(n, v)),
        3 => (0_u8..6).prop_map(Step::Remove),
        1 => Just(Step::Reload),
        1 => Just(Step::Keep),
    ];
    prop::collection::vec(one, 0..40)
}

type Model = BTreeMap<String, Vec<u8>>;

fn same(view: &Snapshot, model: &Model) {
    assert_eq!(view.len(), model.len());
    for n in 0..6_u8 {
        let name = format!("Name {n}");
        let found = view.find(&name);
        assert_eq!(view.find_key(&name), found.first().copied());
        match model.get(&name) {
            None => assert!(found.is_empty()),
            Some(values) => {
                let facts: Vec<Value> = view
                    .facts(found[0], Some("v"))
                    .into_iter()
                    .map(|f| f.value)
                    .collect();
                let want: Vec<Value> = values.iter().map(|v| number(f64::from(*v), "")).collect();
                assert_eq!(facts, want);
                assert_eq!(view.names().lookup(&name), Resolution::Known(found));
            }
        }
    }
}

proptest! {
    /// A plain map is the oracle; snapshots taken on the way keep what they saw.
    #[test]
    fn as_a_plain_map(steps in steps()) {
        let mut kb = KnowledgeBase::new();
        let mut model = Model::new();
        let mut kept: Vec<(Snapshot, Model)> = Vec::new();
        for step in steps {
            match step {
                Step::Put(n, v) => {
                    let name = format!("Name {n}");
                    kb.upsert(Record::named(&name).fact("v", number(f64::from(v), ""))).expect("valid");
                    model.insert(name, vec![v]);
                }
                Step::Fact(n, v) => {
                    let name = format!("Name {n}");
                    if let Some(id) = kb.view().find_key(&name) {
                        add_fact(&mut kb, id, Fact::new("v", number(f64::from(v), "")));
                        model.get_mut(&name).expect("there").push(v);
                    }
                }
                Step::Remove(n) => {
                    let name = format!("Name {n}");
                    let id = kb.view().find_key(&name);
                    prop_assert_eq!(id.is_some_and(|id| kb.remove(id)), model.remove(&name).is_some());
                }
                Step::Reload => {
                    kb = KnowledgeBase::from_bytes(Arc::new(kb.view().to_bytes().expect("bytes"))).expect("read");
                }
                Step::Keep => kept.push((kb.snapshot(), model.clone())),
            }
        }
        same(kb.view(), &model);
        for (snapshot, model) in &kept {
            same(snapshot, model);
        }
    }

    #[test]
    fn predicates_are_keys(name in "\\PC{0,20}") {
        let key = predicate_key(&name);
        prop_assert_eq!(predicate_key(&key), key.clone());
        prop_assert!(!key.starts_with('_') && !key.ends_with('_'));
    }

    #[test]
    fn names_are_found_folded(name in "[A-Za-zéü' -]{1,20}") {
        prop_assume!(!fold_name(&name).is_empty());
        let mut builder = KbBuilder::new();
        builder.add(Record::named(&name)).expect("valid");
        let kb = builder.build().expect("built").snapshot();
        prop_assert_eq!(kb.find(&name.to_uppercase()), [0]);
        prop_assert_eq!(kb.find(&fold_name(&name)), [0]);
    }
}

#[test]
fn a_unit_that_means_nothing_is_refused_with_the_nearest() {
    let read = |unit: &str| {
        let record = json!({"name": "Ely", "attributes": {"size": {"value": 7, "unit": unit}}});
        parse_record(&record)
            .map(|_| ())
            .map_err(|e| e.message().to_owned())
    };
    for fine in [
        "km",
        "kilometre",
        "kilometers",
        "USD",
        "EUR",
        "%",
        "percent",
        "m²",
        "rooms",
        "visitors",
        "parking spaces",
        "employees",
        "exhibits",
        "years",
    ] {
        assert_eq!(read(fine), Ok(()), "{fine}");
    }
    let error = read("zork").unwrap_err();
    assert!(
        error.contains("attributes.size.unit") && error.contains("'zork'"),
        "{error}"
    );
    let error = read("kilometrs").unwrap_err();
    assert!(error.contains("did you mean 'kilomet"), "{error}");
    let error = read("hectars").unwrap_err();
    assert!(error.contains("did you mean 'hectare"), "{error}");
}
