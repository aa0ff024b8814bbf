//! The values in every format, ready to paste.

use std::fmt::Write;

use clap::ValueEnum as _;
use plot::escape;
use runs::plan::value_name;

use crate::formats::Format;
use crate::formats::params_file::SpsaKeys;
use crate::parameter::Parameter;

/// `parameters` with the values to export.
pub(super) fn section(page: &mut String, parameters: &[Parameter], pairs: u64) {
    page.push_str("<section><h2>The values, ready to paste</h2>\n");
    for &format in Format::value_variants() {
        let spsa = SpsaKeys::default();
        let text = format.write(parameters, &spsa, 2 * pairs).content;
        let name = value_name(&format);
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
