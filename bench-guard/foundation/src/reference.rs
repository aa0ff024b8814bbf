//! Pages of the reference that are made from types: the name, the type and the meaning of a setting
//! or a member of a JSON object are written once, at the field.

use std::fmt::Write as _;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// The members of a JSON object, or the keys of a section of settings, as a table in Markdown.
/// Members of members follow with dotted names, elements of lists with `[]`.
pub fn table<T: JsonSchema>(first_column: &str) -> String {
    let mut generator = SchemaGenerator::default();
    let schema = T::json_schema(&mut generator);
    let definitions = generator.take_definitions(false);
    let mut rows = Vec::new();
    Walk {
        definitions: &Value::Object(definitions),
        rows: &mut rows,
    }
    .members(&schema, "");
    let mut text = format!("| {first_column} | type | meaning |\n|---|---|---|\n");
    for Row {
        name,
        kind,
        meaning,
    } in rows
    {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "| `{name}` | {kind} | {meaning} |");
    }
    text
}

struct Row {
    name: String,
    kind: String,
    meaning: String,
}

struct Walk<'a> {
    definitions: &'a Value,
    rows: &'a mut Vec<Row>,
}

impl Walk<'_> {
    fn members(&mut self, schema: &Schema, prefix: &str) {
        self.walk(schema.as_value(), prefix);
    }

    fn walk(&mut self, schema: &Value, prefix: &str) {
        let schema = self.resolved(schema);
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return;
        };
        for (name, property) in properties {
            let name = format!("{prefix}{name}");
            self.rows.push(Row {
                kind: self.kind(property),
                meaning: self.meaning(property),
                name: name.clone(),
            });
            let property = self.without_null(property);
            match property.get("items") {
                Some(items) => self.walk(&self.without_null(items), &format!("{name}[].")),
                None => self.walk(&property, &format!("{name}.")),
            }
        }
    }

    /// The schema itself, with references followed.
    fn resolved(&self, schema: &Value) -> Value {
        let name = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| reference.rsplit('/').next());
        match name.and_then(|name| self.definitions.get(name)) {
            Some(definition) => self.resolved(definition),
            None => schema.clone(),
        }
    }

    /// The type of an optional member when it is present.
    fn without_null(&self, schema: &Value) -> Value {
        let choices = schema.get("anyOf").and_then(Value::as_array);
        let there = choices.and_then(|choices| choices.iter().find(|choice| !is_null(choice)));
        self.resolved(there.unwrap_or(schema))
    }

    fn kind(&self, schema: &Value) -> String {
        let is_optional = schema
            .get("anyOf")
            .and_then(Value::as_array)
            .is_some_and(|choices| choices.iter().any(is_null));
        let schema = self.without_null(schema);
        let kind = self.kind_of_present(&schema);
        if is_optional {
            format!("{kind} or null")
        } else {
            kind
        }
    }

    fn kind_of_present(&self, schema: &Value) -> String {
        let words = |values: &[Value]| {
            let words: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
            words.join(" or ")
        };
        if let Some(constant) = schema.get("const") {
            return words(std::slice::from_ref(constant));
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            return words(values);
        }
        if let Some(Value::Array(choices)) = schema.get("oneOf").or(schema.get("anyOf")) {
            let kinds: Vec<String> = choices.iter().map(|choice| self.kind(choice)).collect();
            return kinds.join(" or ");
        }
        match schema.get("type") {
            Some(Value::String(kind)) if kind == "array" => match schema.get("items") {
                Some(items) => format!("list of {}", self.kind(items)),
                None => "list".to_owned(),
            },
            Some(Value::String(kind)) => kind.clone(),
            Some(Value::Array(kinds)) => {
                let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).collect();
                kinds.join(" or ")
            }
            _ => "any".to_owned(),
        }
    }

    /// The first paragraph of a field's documentation, or else of its type's.
    fn meaning(&self, schema: &Value) -> String {
        let text = [schema.clone(), self.without_null(schema)]
            .iter()
            .find_map(|schema| Some(schema.get("description")?.as_str()?.to_owned()))
            .unwrap_or_default();
        let paragraph = text.split("\n\n").next().unwrap_or_default();
        paragraph.replace('\n', " ").replace('|', "\\|")
    }
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its description is used")]
    struct Commit {
        /// The full id.
        id: String,
        /// Nodes; null where
        /// not known.
        bench: Option<u64>,
        verdict: Verdict,
    }

    /// What is said of a commit.
    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[expect(dead_code, reason = "only its description is used")]
    enum Verdict {
        Ok,
        Missing,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its description is used")]
    struct Output {
        /// Oldest first.
        commits: Vec<Commit>,
        last: Option<Commit>,
        tried: Vec<Option<Verified>>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its description is used")]
    struct Verified {
        count: u64,
    }

    #[test]
    fn members_of_members_follow_with_dotted_names() {
        let table = table::<Output>("member");
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert!(
            rows.contains(&"| `tried[].count` | integer |  |"),
            "{table}"
        );
        assert_eq!(rows[0], "| `commits` | list of object | Oldest first. |");
        assert_eq!(rows[1], "| `commits[].id` | string | The full id. |");
        assert_eq!(
            rows[2],
            "| `commits[].bench` | integer or null | Nodes; null where not known. |"
        );
        assert_eq!(
            rows[3],
            "| `commits[].verdict` | `\"ok\"` or `\"missing\"` | What is said of a commit. |"
        );
        assert_eq!(rows[4], "| `last` | object or null |  |");
        assert_eq!(rows.len(), 10);
    }
}
