//! Records as JSON objects: the form that files, tables and callers are read through.

use serde_json::{Map, Value as Json};

use crate::error::{Error, Result};

use super::model::{Entity, Fact, Qualifier, Record, predicate_key};
use super::unit::{check_unit, in_magnitude};
use super::value::{Date, Value, ValueType};
use crate::lexicon::columns::unit_of_name;
use crate::types::{key_twice, read_json};

const FIELDS: [&str; 6] = [
    "name",
    "aliases",
    "type",
    "key",
    "attributes",
    "closed_world",
];
const FACT_FIELDS: [&str; 8] = [
    "value",
    "type",
    "unit",
    "source",
    "confidence",
    "valid_from",
    "valid_to",
    "qualifiers",
];

/// What one JSON object says: an entity, declarations about the world, or both.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ParsedRecord {
    /// The entity with its facts, if the object names one.
    pub record: Option<Record>,
    /// Attributes declared complete.
    pub closed_predicates: Vec<String>,
    /// The whole base is declared complete.
    pub closed: bool,
}

fn wrong(field: &str, what: &str) -> Error {
    Error::argument(format!("field '{field}': {what}"))
}

/// Reads one object: `{"name": …, "aliases": […], "type": …, "key": …, "attributes": {…}}`.
///
/// An attribute is a value, a list of values, or `{"value": …, "type": …, "unit": …, "source": …,
/// "confidence": …, "valid_from": …, "valid_to": …, "qualifiers": {…}}`. Texts without a type are
/// read by their form ([`Value::infer`]). `closed_world` is `true` or a list of attributes; it may
/// stand without a name.
///
/// # Errors
/// `Argument`, naming the field.
pub fn parse_record(json: &Json) -> Result<ParsedRecord> {
    let Json::Object(map) = json else {
        return Err(Error::argument("a record must be an object"));
    };
    if let Some(field) = map.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        return Err(wrong(
            field,
            &format!("unknown; a record has {}", FIELDS.join(", ")),
        ));
    }
    let mut parsed = ParsedRecord::default();
    match map.get("closed_world") {
        None | Some(Json::Null) => {}
        Some(Json::Bool(closed)) => parsed.closed = *closed,
        Some(list) => parsed.closed_predicates = texts("closed_world", list)?,
    }
    if !map.contains_key("name") && map.contains_key("closed_world") && map.len() == 1 {
        return Ok(parsed);
    }
    let name = text(
        "name",
        map.get("name").ok_or_else(|| wrong("name", "missing"))?,
    )?;
    let aliases = map
        .get("aliases")
        .filter(|a| !a.is_null())
        .map_or(Ok(Vec::new()), |a| texts("aliases", a))?;
    let optional = |field: &str| match map.get(field) {
        None | Some(Json::Null) => Ok(String::new()),
        Some(Json::String(blank)) if blank.trim().is_empty() => Ok(String::new()),
        Some(Json::Number(number)) if field == "key" => Ok(number.to_string()),
        Some(value) => text(field, value),
    };
    let kind = optional("type")?;
    let key = Some(optional("key")?)
        .filter(|key| !key.is_empty())
        .unwrap_or_else(|| name.clone());
    let mut facts = Vec::new();
    match map.get("attributes") {
        None | Some(Json::Null) => {}
        Some(Json::Object(attributes)) => {
            for (attribute, value) in attributes {
                read_attribute(attribute, value, &mut facts)?;
            }
        }
        Some(_) => return Err(wrong("attributes", "must be an object")),
    }
    parsed.record = Some(Record {
        entity: Entity {
            id: 0,
            key,
            name,
            aliases,
            kind,
        },
        facts,
    });
    Ok(parsed)
}

fn text(field: &str, json: &Json) -> Result<String> {
    match json {
        Json::String(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        _ => Err(wrong(field, "must be a text that is not empty")),
    }
}

fn texts(field: &str, json: &Json) -> Result<Vec<String>> {
    match json {
        Json::Array(all) => all.iter().map(|one| text(field, one)).collect(),
        Json::String(_) => Ok(vec![text(field, json)?]),
        _ => Err(wrong(field, "must be a list of texts")),
    }
}

/// Reads one attribute as facts.
///
/// # Errors
/// `Argument`, naming the attribute.
pub fn read_attribute(attribute: &str, json: &Json, facts: &mut Vec<Fact>) -> Result<()> {
    let field = format!("attributes.{attribute}");
    if predicate_key(attribute).is_empty() {
        return Err(wrong(&field, "an attribute's name needs a letter or digit"));
    }
    let mut each = |json: &Json| -> Result<()> {
        match json {
            Json::Null => Ok(()),
            Json::Object(map) => described(&field, attribute, map, facts),
            plain => {
                let value = in_unit_of_name(attribute, scalar(&field, plain, None, None)?);
                facts.push(Fact::new(attribute, value));
                Ok(())
            }
        }
    };
    match json {
        Json::Array(all) => all.iter().try_for_each(each),
        one => each(one),
    }
}

/// A bare number in the unit that its attribute's name ends in ("weight_kg": 1.2).
fn in_unit_of_name(attribute: &str, value: Value) -> Value {
    match value {
        Value::Number { value, unit: None } => Value::Number {
            value,
            unit: unit_of_name(&predicate_key(attribute)).map(str::to_owned),
        },
        other => other,
    }
}

fn described(
    field: &str,
    attribute: &str,
    map: &Map<String, Json>,
    facts: &mut Vec<Fact>,
) -> Result<()> {
    if let Some(unknown) = map.keys().find(|key| !FACT_FIELDS.contains(&key.as_str())) {
        return Err(wrong(
            field,
            &format!("unknown '{unknown}'; a fact has {}", FACT_FIELDS.join(", ")),
        ));
    }
    let named = |key: &str| match map.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => text(&format!("{field}.{key}"), value).map(Some),
    };
    let of = named("type")?
        .map(|name| ValueType::parse(&name))
        .transpose()
        .map_err(|error| wrong(field, error.message()))?;
    let unit = named("unit")?.map(|unit| in_magnitude(&unit));
    if let Some((_, Some(unit))) = &unit {
        check_unit(unit).map_err(|what| wrong(&format!("{field}.unit"), &what))?;
    }
    let mut fact = Fact::new(attribute, Value::Bool(false));
    fact.source = named("source")?;
    if let Some(confidence) = map.get("confidence").filter(|c| !c.is_null()) {
        fact.confidence = confidence
            .as_f64()
            .filter(|c| (0.0..=1.0).contains(c))
            .ok_or_else(|| wrong(field, "confidence must be a number from 0 to 1"))?;
    }
    let date = |key: &str| -> Result<Option<Date>> {
        let wrong = || {
            wrong(
                &format!("{field}.{key}"),
                "must be a date (YYYY, YYYY-MM or YYYY-MM-DD)",
            )
        };
        match map.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => Date::parse(text).ok_or_else(wrong).map(Some),
            Some(Json::Number(year)) => Date::parse_iso(&year.to_string())
                .ok_or_else(wrong)
                .map(Some),
            Some(_) => Err(wrong()),
        }
    };
    fact.valid_from = date("valid_from")?;
    fact.valid_to = date("valid_to")?;
    match map.get("qualifiers") {
        None | Some(Json::Null) => {}
        Some(Json::Object(all)) => {
            for (name, value) in all {
                let value = scalar(&format!("{field}.qualifiers.{name}"), value, None, None)?;
                fact.qualifiers.push(Qualifier {
                    name: predicate_key(name),
                    value,
                });
            }
        }
        Some(_) => return Err(wrong(field, "qualifiers must be an object")),
    }
    let values = match map.get("value") {
        None | Some(Json::Null) => return Err(wrong(field, "'value' is missing")),
        Some(Json::Array(all)) => all.as_slice(),
        Some(one) => std::slice::from_ref(one),
    };
    for value in values {
        let value = scalar(field, value, of, unit.as_ref())?;
        facts.push(Fact {
            value,
            ..fact.clone()
        });
    }
    Ok(())
}

fn scalar(
    field: &str,
    json: &Json,
    of: Option<ValueType>,
    unit: Option<&(f64, Option<String>)>,
) -> Result<Value> {
    let value = match json {
        Json::Bool(value) if matches!(of, None | Some(ValueType::Bool)) => Value::Bool(*value),
        Json::Number(number) if matches!(of, None | Some(ValueType::Number)) => Value::Number {
            value: number.as_f64().unwrap_or(f64::NAN),
            unit: None,
        },
        Json::String(text) => match of {
            None => Value::infer(text),
            Some(of) => Value::parse(text, of).map_err(|error| wrong(field, error.message()))?,
        },
        Json::Number(_) | Json::Bool(_) => {
            let text = json.to_string();
            let of = of.unwrap_or(ValueType::Text);
            Value::parse(&text, of).map_err(|error| wrong(field, error.message()))?
        }
        _ => {
            return Err(wrong(
                field,
                "a value must be a text, a number, true or false",
            ));
        }
    };
    match (value, unit) {
        (value, None) => Ok(value),
        (Value::Number { value, .. }, Some((factor, unit))) => Ok(Value::Number {
            value: value * factor,
            unit: unit.clone(),
        }),
        _ => Err(wrong(field, "only a number has a unit")),
    }
}

impl super::KbBuilder {
    /// Reads JSON lines into the builder; empty lines are passed over. `source` names the text in
    /// errors and becomes the source of facts that give none.
    ///
    /// # Errors
    /// `Argument`, naming the line and the field.
    pub fn read_jsonl(&mut self, text: &str, source: Option<&str>) -> Result<()> {
        let mut world = super::World::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() {
                continue;
            }
            let place = |error: &str| {
                let name = source.unwrap_or("records");
                Error::argument(format!("{name} line {}: {error}", number + 1))
            };
            let json = read_json(line).map_err(|error| {
                if let Some((key, _)) = key_twice(line) {
                    return place(&format!(
                        "the key '{key}' is given twice; keep one of the two"
                    ));
                }
                let at = error.column();
                // The parser has no other way to tell it.
                place(&if error.to_string().starts_with("number out of range") {
                    format!("a number of too many digits, up to column {at}; write it as text")
                } else {
                    format!("not JSON at column {at}")
                })
            })?;
            let parsed = parse_record(&json).map_err(|error| place(error.message()))?;
            world.closed |= parsed.closed;
            world.closed_predicates.extend(parsed.closed_predicates);
            if let Some(mut record) = parsed.record {
                for fact in &mut record.facts {
                    if fact.source.is_none() {
                        fact.source = source.map(str::to_owned);
                    }
                }
                self.add(record).map_err(|error| place(error.message()))?;
            }
        }
        self.extend_world(world);
        Ok(())
    }
}
