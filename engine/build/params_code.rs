//! The table of parameters as code: one `Spec` and one typed accessor per entry of `params.toml`.
//!
//! Shared by the build scripts of all engines here.

use std::fmt::Write as _;

use super::params_file::Entry;

/// The code of the table and of the accessors, in the order of the entries.
pub fn render(entries: &[Entry]) -> String {
    let mut code = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(code, "pub static SPECS: [Spec; {}] = [", entries.len());
    for entry in entries {
        let Entry {
            name,
            value,
            min,
            max,
            c_end,
            r_end,
            doc,
        } = entry;
        let _ = writeln!(
            code,
            "    Spec {{ name: {name:?}, default: {value}, min: {min}, max: {max}, \
             c_end: {c_end:?}, r_end: {r_end:?}, doc: {doc:?} }},"
        );
    }
    code.push_str("];\n\nimpl Params {\n");
    for (index, entry) in entries.iter().enumerate() {
        let accessor = snake_case(&entry.name);
        let (kind, suffix) = if entry.is_switch() {
            ("bool", " != 0")
        } else {
            ("i32", "")
        };
        let _ = writeln!(
            code,
            "    #[doc = {:?}]\n    #[inline]\n    pub(crate) fn {accessor}(&self) -> {kind} {{\n        \
             self.values[{index}]{suffix}\n    }}",
            entry.doc
        );
    }
    code.push_str("}\n");
    code
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
