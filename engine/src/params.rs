//! The parameters of the search: declared in `params.toml`, read here by name (from UCI) or by
//! accessor (from the search).

include!(concat!(env!("OUT_DIR"), "/params.rs"));

/// One entry of `params.toml`.
#[derive(Debug)]
pub struct Spec {
    /// The UCI option's name.
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// SPSA perturbation at the end of a tune, in the option's unit; `None` if it is not tuned.
    pub c_end: Option<f64>,
    /// SPSA learning rate at the end of a tune, unit-free; `None` unless pinned.
    pub r_end: Option<f64>,
    pub doc: &'static str,
}

/// A value for every entry of [`SPECS`], each within its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    values: [i32; SPECS.len()],
}

impl Default for Params {
    fn default() -> Self {
        let mut values = [0; SPECS.len()];
        for (value, spec) in values.iter_mut().zip(&SPECS) {
            *value = spec.default;
        }
        Self { values }
    }
}

impl Params {
    /// Index of the parameter in [`SPECS`]. Names of UCI options are case-insensitive.
    pub fn index(name: &str) -> Option<usize> {
        SPECS
            .iter()
            .position(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    pub(crate) fn get(&self, index: usize) -> i32 {
        self.values[index]
    }

    /// Sets one value. A value outside the range is refused and changes nothing.
    pub fn set(&mut self, index: usize, value: i32) -> Result<(), String> {
        let Spec { name, min, max, .. } = SPECS[index];
        if value < min || value > max {
            return Err(format!("{name}: expected {min} to {max}, got {value}"));
        }
        self.values[index] = value;
        Ok(())
    }

    /// A copy with other values for some parameters, by name.
    #[cfg(test)]
    pub(crate) fn with(mut self, values: &[(&str, i32)]) -> Self {
        for &(name, value) in values {
            self.set(Self::index(name).unwrap(), value).unwrap();
        }
        self
    }
}

/// Printed for parameters without a pinned `r_end`: OpenBench has no rule of its own and demands
/// all seven fields. This is the value that its users start from.
const OPENBENCH_R_END: f64 = 0.002;

/// The lines that OpenBench takes as SPSA input: `name, int, value, min, max, c_end, r_end`.
pub(crate) fn spsa_lines(params: &Params) -> Vec<String> {
    SPECS
        .iter()
        .enumerate()
        .filter_map(|(index, spec)| {
            let c_end = spec.c_end?;
            let r_end = spec.r_end.unwrap_or(OPENBENCH_R_END);
            let Spec { name, min, max, .. } = spec;
            Some(format!(
                "{name}, int, {}, {min}, {max}, {c_end}, {r_end}",
                params.get(index)
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_declared_values_and_bounds_are_enforced() {
        let mut params = Params::default();
        for (index, spec) in SPECS.iter().enumerate() {
            assert_eq!(params.get(index), spec.default, "{}", spec.name);
            assert!(params.set(index, spec.min - 1).is_err());
            assert!(params.set(index, spec.max + 1).is_err());
            assert_eq!(params.get(index), spec.default, "{}", spec.name);
            params.set(index, spec.max).unwrap();
            assert_eq!(params.get(index), spec.max);
        }
    }

    #[test]
    fn every_parameter_is_documented_in_one_line() {
        for Spec { name, doc, .. } in &SPECS {
            assert!(!doc.is_empty() && !doc.contains('\n'), "{name}: {doc:?}");
        }
    }

    #[test]
    fn names_are_found_whatever_their_case() {
        let name = SPECS[0].name;
        assert_eq!(Params::index(&name.to_ascii_uppercase()), Some(0));
        assert_eq!(Params::index(&name.to_ascii_lowercase()), Some(0));
        assert_eq!(Params::index("NoSuchThing"), None);
    }

    #[test]
    fn openbench_lines_have_seven_fields_that_it_accepts() {
        let lines = spsa_lines(&Params::default());
        assert_eq!(
            lines.len(),
            SPECS.iter().filter(|spec| spec.c_end.is_some()).count()
        );
        for line in lines {
            let fields: Vec<&str> = line.split(", ").collect();
            assert_eq!(fields.len(), 7, "{line}");
            assert_eq!(fields[1], "int");
            let numbers: Vec<f64> = fields[2..].iter().map(|f| f.parse().unwrap()).collect();
            assert!(
                numbers[1] <= numbers[0] && numbers[0] <= numbers[2],
                "{line}"
            );
            // Below half a unit OpenBench plays half a unit; above a quarter of the range SPSA
            // saturates.
            assert!(
                numbers[3] >= 0.5 && numbers[3] <= (numbers[2] - numbers[1]) / 4.0,
                "{line}"
            );
            assert!(numbers[4] > 0.0, "{line}");
        }
    }
}
