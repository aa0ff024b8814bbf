//! A p value in words.

/// No p is 0: no observation has the probability 0.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0001 {
        "below 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}
