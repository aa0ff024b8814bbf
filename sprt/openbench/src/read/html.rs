//! The few operations on HTML by which all pages are read.

use scraper::{ElementRef, Selector};

/// A selector of a module; the module's tests use each of them.
macro_rules! selector {
    ($text:literal) => {{
        static SELECTOR: std::sync::LazyLock<Option<scraper::Selector>> =
            std::sync::LazyLock::new(|| scraper::Selector::parse($text).ok());
        SELECTOR.as_ref()
    }};
}
pub(super) use selector;

pub(super) fn all<'a>(
    root: ElementRef<'a>,
    selector: Option<&'a Selector>,
) -> impl Iterator<Item = ElementRef<'a>> {
    selector
        .into_iter()
        .flat_map(move |selector| root.select(selector))
}

pub(super) fn text(element: ElementRef) -> String {
    element.text().collect::<String>().trim().to_owned()
}

pub(super) fn links(element: ElementRef) -> impl Iterator<Item = String> {
    all(element, selector!("a[href]"))
        .filter_map(|link| link.value().attr("href").map(str::to_owned))
}
