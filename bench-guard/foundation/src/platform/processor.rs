//! The features of the processor, for which compilers build by `-march=native`.

use std::fs;

/// Those of the first processor, as Linux tells them; nothing elsewhere.
pub fn features() -> String {
    listed(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

fn listed(cpuinfo: &str) -> String {
    let is_features = |name: &str| ["flags", "Features"].contains(&name.trim());
    let mut lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let features = lines.find(|(name, _)| is_features(name));
    features.map_or(String::new(), |(_, features)| features.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_known_by_its_features() {
        let x86 = "processor\t: 0\nmodel name\t: Some\nflags\t\t: fpu avx2\nprocessor\t: 1\n";
        assert_eq!(listed(x86), "fpu avx2");
        assert_eq!(listed("Features\t: fp asimd\n"), "fp asimd");
        assert_eq!(listed(""), "");
    }
}
