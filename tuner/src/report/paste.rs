//! The values in every format, ready to paste.

use std::fmt::Write;

use clap::ValueEnum;
use plot::escape;

use crate::formats::params_file::SpsaKeys;
use crate::formats::{self, Format};
use crate::parameter::Parameter;

/// `parameters` with the values to export.
pub fn section(page: &mut String, parameters: &[Parameter], pairs: u64) {
    page.push_str("<section><h2>The values, ready to paste</h2>\n");
    for format in Format::ALL {
        let spsa = SpsaKeys::default();
        let text = formats::write(format, parameters, &spsa, 2 * pairs).content;
        let name = format.to_possible_value();
        let name = name.as_ref().map_or("", |value| value.get_name());
        let open = if format == Format::Values {
            " open"
        } else {
            ""
        };
        let _ = writeln!(
            page,
            "<details{open}><summary>{name}</summary><pre>{}</pre></details>",
            escape(text.trim_end())
        );
    }
    page.push_str("</section>\n");
}
