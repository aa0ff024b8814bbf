//! The few operations on HTML by which all pages are read.

use scraper::{ElementRef, Html, Selector};

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

/// The rows of a table with a heading for each of so many columns; `None` where the page has no such
/// table, and is another one than was asked for.
pub(super) fn rows<T>(
    html: &str,
    columns: usize,
    row: impl Fn(&[ElementRef]) -> Option<T>,
) -> Option<Vec<T>> {
    let page = Html::parse_document(html);
    let lines = || all(page.root_element(), selector!("tr"));
    let is_head = |line: ElementRef| all(line, selector!("th")).count() == columns;
    lines().any(is_head).then(|| {
        let cells = |line: ElementRef| {
            let cells: Vec<ElementRef> = all(line, selector!("td")).collect();
            row(&cells)
        };
        lines().filter_map(cells).collect()
    })
}
