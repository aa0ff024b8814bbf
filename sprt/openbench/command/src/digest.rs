//! A tune's parameters as the server prints them: `/api/spsa/ID/digest/`, one line each after a
//! header.

use std::iter;

use foundation::Failure;
use serde::Serialize;

/// One parameter of a tune.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    pub name: String,
    pub value: f64,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// The perturbation now and at the end, in the parameter's unit.
    pub c: f64,
    pub c_end: f64,
    pub r: f64,
    pub r_end: f64,
}

impl Tuned {
    /// How far it went, in perturbations.
    pub fn moved(&self) -> f64 {
        if self.c_end > 0.0 {
            (self.value - self.start) / self.c_end
        } else {
            0.0
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let Self { name, start, .. } = self;
        let (value, moved) = (self.shown(), self.moved());
        format!("{name}: {start} -> {value} ({moved:+.2} c)")
    }

    /// The value, as exactly as a step of it matters; the server prints four decimals.
    pub fn shown(&self) -> String {
        let decimals = if self.c_end < 1.0 { 4 } else { 1 };
        format!("{:.decimals$}", self.value)
    }
}

/// How far a number of a digest is from the server's, which prints four decimals.
pub const PRECISION: f64 = 5.001e-5;

const HEADER: [&str; 9] = [
    "Name", "Curr", "Start", "Min", "Max", "C", "C_end", "R", "R_end",
];

/// Reads a digest; the columns are found by their names.
pub fn parse(text: &str) -> Result<Vec<Tuned>, Failure> {
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let header: Vec<&str> = match lines.next() {
        Some((_, line)) => line.split(',').map(str::trim).collect(),
        None => return Err(foreign("it is empty")),
    };
    let mut places = [0; HEADER.len()];
    for (place, name) in places.iter_mut().zip(HEADER) {
        *place = header
            .iter()
            .position(|known| *known == name)
            .ok_or_else(|| {
                foreign(&format!(
                    "its header `{}` has no `{name}`",
                    header.join(",")
                ))
            })?;
    }
    let mut tuned = Vec::new();
    for (number, line) in lines {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        if fields.len() != header.len() {
            return Err(foreign(&format!(
                "line {} has {} fields, its header {}",
                number + 1,
                fields.len(),
                header.len()
            )));
        }
        let figure = |index: usize| -> Result<f64, Failure> {
            let field = fields[places[index]];
            let figure = field
                .parse::<f64>()
                .ok()
                .filter(|figure| figure.is_finite());
            figure.ok_or_else(|| foreign(&format!("line {}: `{field}` is no number", number + 1)))
        };
        tuned.push(Tuned {
            name: fields[places[0]].to_owned(),
            value: figure(1)?,
            start: figure(2)?,
            min: figure(3)?,
            max: figure(4)?,
            c: figure(5)?,
            c_end: figure(6)?,
            r: figure(7)?,
            r_end: figure(8)?,
        });
    }
    Ok(tuned)
}

/// The digits that a digest leaves out, from the texts of `/api/spsa/ID/inputs/` (name, type, start,
/// min, max, `C_end`, `R_end`) and `outputs/` (name, value). A number that the digest does not confirm
/// is passed over: outputs round integers, and a file may be of another fetch.
pub fn refine(tuned: &mut [Tuned], inputs: &str, outputs: &str) {
    for own in tuned {
        let given = [
            &mut own.start,
            &mut own.min,
            &mut own.max,
            &mut own.c_end,
            &mut own.r_end,
        ];
        let given = given.into_iter().zip(fields(inputs, &own.name).skip(1));
        let came = iter::once(&mut own.value).zip(fields(outputs, &own.name));
        for (number, field) in given.chain(came) {
            if let Ok(exact) = field.parse::<f64>()
                && (exact - *number).abs() <= PRECISION
            {
                *number = exact;
            }
        }
    }
}

/// What follows a name on its line.
fn fields<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let of_line = |line: &'a str| line.split(',').map(str::trim);
    text.lines()
        .map(of_line)
        .find_map(|mut fields| (fields.next() == Some(name)).then_some(fields))
        .into_iter()
        .flatten()
}

fn foreign(why: &str) -> Failure {
    Failure::unable(format!("the digest of the tune cannot be read: {why}"))
        .hint(format!("expected the header {}", HEADER.join(",")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DIGEST: &str = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\n\
        RfpMaxDepth,8.0000,8,1,16,1.2808,0.7500,0.0028,0.0020\n\
        RfpMargin,84.5000,75,20,200,15.3690,9.5000,0.0028,0.0020";

    #[test]
    fn a_recorded_digest_is_read() {
        let tuned = parse(DIGEST).expect("a digest");
        assert_eq!(tuned.len(), 2);
        assert_eq!(
            (tuned[1].name.as_str(), tuned[1].value, tuned[1].start),
            ("RfpMargin", 84.5, 75.0)
        );
        assert_eq!((tuned[1].moved(), tuned[0].c), (1.0, 1.2808));
    }

    #[test]
    fn what_is_no_digest_is_refused_with_its_line() {
        for (text, said) in [
            ("", "empty"),
            ("Name,Curr", "no `Start`"),
            (&format!("{DIGEST}\nX,1"), "line 4 has 2 fields"),
            (&DIGEST.replace("84.5000", "nan"), "line 3: `nan`"),
            (&DIGEST.replace("84.5000", "x"), "line 3: `x`"),
        ] {
            let failure = parse(text).expect_err(text);
            assert!(failure.message().contains(said), "{failure}");
        }
    }

    #[test]
    fn digits_that_a_digest_leaves_out_are_found_beside_it() {
        let digest = "Name,Curr,Start,Min,Max,C,C_end,R,R_end\n\
            Base,0.7658,0.7654,0.1000,1.5000,0.0850,0.0500,0.0006,0.0005\n\
            Depth,8.3333,8,1,16,1.2808,0.7500,0.0028,0.0020";
        let inputs = "Base, float, 0.76543, 0.1, 1.5, 0.05, 0.00047\n\
            Depth, int, 9.0, 1.0, 16.0, 0.75004, nan\nOther, int";
        let mut tuned = parse(digest).expect("a digest");
        let before = tuned.clone();
        refine(&mut tuned, inputs, "Base, 0.76577\nDepth, 8\n");
        assert_eq!(
            (tuned[0].start, tuned[0].value, tuned[0].r_end),
            (0.76543, 0.76577, 0.00047)
        );
        let Tuned { c_end, .. } = tuned[1];
        assert_eq!((c_end, &tuned[1].name), (0.75004, &before[1].name));
        tuned[1].c_end = before[1].c_end;
        assert_eq!(tuned[1], before[1], "what is not confirmed stays");
    }

    proptest! {
        #[test]
        fn what_the_server_writes_is_read_back(rows in proptest::collection::vec(("[A-Za-z]{1,9}", -1e6..1e6_f64), 0..9)) {
            let lines: Vec<String> = rows.iter().map(|(name, value)| format!("{name},{value:.4},1,0,9,1.0,1.0,0.1,0.1")).collect();
            let tuned = parse(&format!("{}\n{}", HEADER.join(","), lines.join("\n"))).expect("a digest");
            prop_assert_eq!(tuned.len(), rows.len());
            for (tuned, (name, value)) in tuned.iter().zip(&rows) {
                prop_assert_eq!(&tuned.name, name);
                prop_assert!((tuned.value - value).abs() <= 5e-5);
            }
        }

        #[test]
        fn no_text_is_a_panic(text in "\\PC{0,30}(\n\\PC{0,30}){0,3}") {
            let _ = parse(&text);
        }
    }
}
