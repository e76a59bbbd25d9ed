//! A small JSON Schema validator: the keywords that the report's schema uses, and no others.

use serde_json::{Map, Value};

/// Nested schemas deeper than this are refused: the report's own are not half as deep.
const DEPTH: usize = 64;

/// Keywords that say nothing about the value, or hold what is looked up from elsewhere.
const IGNORED: &[&str] = &["$schema", "$defs", "title", "description", "format", "default"];

/// Everything in `value` that `schema` forbids, each with its JSON pointer; empty where the value is valid. An unknown
/// keyword is an error too, so that the schema cannot say more than is checked.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Check { root: schema, errors: &mut found, depth: 0 }.value(schema, value, "");
    found
}

struct Check<'a> {
    root: &'a Value,
    errors: &'a mut Vec<String>,
    depth: usize,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value, at: &str) {
        let rules = match schema {
            Value::Object(rules) if self.depth < DEPTH => rules,
            Value::Bool(true) => return,
            _ => return self.error(at, "no value is allowed, or the schema is too deep"),
        };
        self.depth += 1;
        for (keyword, rule) in rules {
            self.keyword(keyword, rule, rules, value, at);
        }
        self.depth -= 1;
    }

    fn keyword(&mut self, keyword: &str, rule: &Value, rules: &Map<String, Value>, value: &Value, at: &str) {
        match keyword {
            "type" if !list(rule).iter().any(|name| has_type(name, value)) => self.error(at, &format!("is no {rule}")),
            "const" if rule != value => self.error(at, &format!("is not {rule}")),
            "enum" if !list(rule).contains(value) => self.error(at, &format!("is none of {rule}")),
            "minimum" if value.as_f64() < rule.as_f64() && value.is_number() => self.error(at, "is too small"),
            "required" => self.required(rule, value, at),
            "properties" => self.properties(rule, value, at),
            "additionalProperties" => self.additional(rule, rules, value, at),
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.value(rule, item, &format!("{at}/{i}"));
                }
            }
            "$ref" => match rule.as_str().and_then(|link| self.root.pointer(link.trim_start_matches('#'))) {
                Some(target) => self.value(target, value, at),
                None => self.error(at, &format!("the schema has no {rule}")),
            },
            "anyOf" if self.matching(rule, value) == 0 => self.error(at, "fits none of the choices"),
            "oneOf" if self.matching(rule, value) != 1 => self.error(at, "fits none, or several, of the choices"),
            "type" | "const" | "enum" | "minimum" | "anyOf" | "oneOf" => {}
            _ if IGNORED.contains(&keyword) => {}
            _ => self.error(at, &format!("the schema uses {keyword}, which is not checked")),
        }
    }

    fn required(&mut self, names: &Value, value: &Value, at: &str) {
        let Some(object) = value.as_object() else { return };
        for name in list(names).iter().filter_map(Value::as_str).filter(|name| !object.contains_key(*name)) {
            self.error(at, &format!("has no {name}"));
        }
    }

    fn properties(&mut self, rules: &Value, value: &Value, at: &str) {
        for (name, rule) in rules.as_object().into_iter().flatten() {
            if let Some(member) = value.get(name) {
                self.value(rule, member, &format!("{at}/{name}"));
            }
        }
    }

    fn additional(&mut self, rule: &Value, rules: &Map<String, Value>, value: &Value, at: &str) {
        for (name, member) in value.as_object().into_iter().flatten() {
            if rules.get("properties").and_then(|known| known.get(name)).is_none() {
                self.value(rule, member, &format!("{at}/{name}"));
            }
        }
    }

    fn matching(&self, choices: &Value, value: &Value) -> usize {
        let fits = |choice: &&Value| {
            let mut errors = Vec::new();
            Check { root: self.root, errors: &mut errors, depth: self.depth }.value(choice, value, "");
            errors.is_empty()
        };
        list(choices).iter().filter(fits).count()
    }

    fn error(&mut self, at: &str, what: &str) {
        self.errors.push(format!("{at} {what}"));
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        _ => false,
    }
}
