//! Inside each crate of the workspace, files use each other in one direction: there is no circle of
//! files, and no two folders side by side use each other.
//!
//! An arrow runs from a file to the file that defines what it names: in `use` declarations and in
//! paths that begin with `crate`, `self`, `super`, a child module or an imported module. Re-exports
//! are followed to the definition and are no arrows themselves; nor are `mod` declarations, and
//! nothing under `#[cfg(test)]` counts. `WHETSTONE_LAYERS=crate cargo test -p foundation --test
//! layers -- --nocapture` prints all arrows of a crate.
//!
//! `main.rs` is not read, nor is what stands outside `src`: build scripts and, with them, the files of
//! `src` that they include by `#[path]`, which are leaves.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Meta, Token, UseTree, Visibility};

/// A module's path below the root of its crate; the root itself is empty.
type Module = Vec<String>;

/// A path as absolute words below the root of the crate.
type Words = Vec<String>;

/// What a file says.
#[derive(Default)]
struct Source {
    /// Names that it re-exports, and where they come from.
    exports: BTreeMap<String, Words>,
    /// Modules all of whose names it re-exports.
    globs: Vec<Words>,
    /// What it names.
    named: BTreeSet<Words>,
    /// What it defines.
    defined: BTreeSet<String>,
}

/// The files of a crate.
#[derive(Default)]
struct Crate {
    sources: BTreeMap<Module, Source>,
}

/// For each file, the files it uses, and the names that it takes from them.
type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

impl Crate {
    /// Reads files, each as its path below `src` and its text.
    fn read(files: &[(String, String)]) -> Self {
        let parsed: Vec<(Module, syn::File)> = files
            .iter()
            .filter(|(path, _)| path != "main.rs")
            .map(|(path, text)| {
                let file = syn::parse_file(text).unwrap_or_else(|why| panic!("{path}: {why}"));
                (module_of(path), file)
            })
            .collect();
        let tests: BTreeSet<Module> = parsed.iter().flat_map(test_modules).collect();
        let is_test = |module: &Module| (0..=module.len()).any(|n| tests.contains(&module[..n]));
        let modules: BTreeSet<Module> = parsed.iter().map(|(module, _)| module.clone()).collect();
        let mut all = Self::default();
        for (module, file) in parsed.iter().filter(|(module, _)| !is_test(module)) {
            let mut reader = Reader {
                modules: &modules,
                place: module.clone(),
                imported: BTreeMap::new(),
                source: Source::default(),
            };
            reader.visit_file(file);
            all.sources.insert(module.clone(), reader.source);
        }
        all
    }

    /// The file that defines what `words` name, and the rest of the words.
    fn definition(&self, words: &[String], depth: usize) -> Option<(Module, Words)> {
        let length = (0..=words.len())
            .rev()
            .find(|length| self.sources.contains_key(&words[..*length]))?;
        let (module, rest) = words.split_at(length);
        let source = &self.sources[module];
        let found = (module.to_vec(), rest.to_vec());
        let Some(name) = rest.first().filter(|_| depth < 8) else {
            return Some(found);
        };
        if let Some(origin) = source.exports.get(name) {
            let origin = [origin, &rest[1..]].concat();
            return self.definition(&origin, depth + 1);
        }
        if !source.defined.contains(name) {
            for glob in &source.globs {
                let inner = [glob.as_slice(), rest].concat();
                if let Some((module, rest)) = self.definition(&inner, depth + 1)
                    && rest
                        .first()
                        .is_some_and(|name| self.sources[&module].defined.contains(name))
                {
                    return Some((module, rest));
                }
            }
        }
        Some(found)
    }

    /// The arrows between modules.
    fn uses(&self) -> BTreeMap<Module, BTreeMap<Module, BTreeSet<String>>> {
        let mut arrows: BTreeMap<Module, BTreeMap<Module, BTreeSet<String>>> = BTreeMap::new();
        for (module, source) in &self.sources {
            for words in &source.named {
                match self.definition(words, 0) {
                    // A module alone is named for what is taken from it elsewhere.
                    Some((target, rest)) if target != *module && !rest.is_empty() => {
                        let from = arrows.entry(module.clone()).or_default();
                        from.entry(target).or_default().insert(rest[0].clone());
                    }
                    _ => {}
                }
            }
        }
        arrows
    }

    /// The circles of files, and those of folders that stand beside each other.
    fn circles(&self) -> Vec<String> {
        let mut files = Arrows::new();
        let mut folders: BTreeMap<Module, Arrows> = BTreeMap::new();
        for (from, targets) in self.uses() {
            for (to, names) in targets {
                let arrow = (name_of(&from), name_of(&to));
                let entry = files.entry(arrow.0.clone()).or_default();
                entry.entry(arrow.1.clone()).or_default().extend(names);
                let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                // A folder's own file stands among its modules.
                let own = from.get(common).map_or("itself", String::as_str);
                let other = to.get(common).map_or("itself", String::as_str);
                let beside = folders.entry(from[..common].to_vec()).or_default();
                let entry = beside.entry(own.to_owned()).or_default();
                let example = format!("{} -> {}", arrow.0, arrow.1);
                entry.entry(other.to_owned()).or_default().insert(example);
            }
        }
        let in_files = circles_of(&files);
        // A circle of folders that is also one of files is reported once.
        let is_reported = |arrow: &String| {
            let ends = arrow.split_once(" -> ").unwrap_or_default();
            let has = |circle: &Circle, end: &str| circle.nodes.iter().any(|node| node == end);
            in_files
                .iter()
                .any(|circle| has(circle, ends.0) && has(circle, ends.1))
        };
        let mut in_folders: Vec<String> = Vec::new();
        for (folder, arrows) in &folders {
            let circles = circles_of(arrows).into_iter();
            let new = circles.filter(|circle| !circle.names.iter().all(is_reported));
            in_folders.extend(
                new.map(|circle| format!("folders in {}: {}", name_of(folder), circle.text)),
            );
        }
        let in_files = in_files
            .iter()
            .map(|circle| format!("files: {}", circle.text));
        in_files.chain(in_folders).collect()
    }
}

/// Reads one file.
struct Reader<'a> {
    modules: &'a BTreeSet<Module>,
    /// The module that is being read: the file's, or one inside it.
    place: Module,
    /// What names stand for that were imported.
    imported: BTreeMap<String, Words>,
    source: Source,
}

impl Reader<'_> {
    /// The words below the root of this crate; `None` of what comes from elsewhere.
    fn absolute(&self, words: &[String]) -> Option<Words> {
        let (first, rest) = words.split_first()?;
        let mut place = self.place.clone();
        match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => return Some([&place, rest].concat()),
            "super" => {
                let mut rest = words;
                while rest.first().is_some_and(|word| word == "super") {
                    place.pop();
                    rest = &rest[1..];
                }
                return Some([&place, rest].concat());
            }
            _ => {}
        }
        if let Some(origin) = self.imported.get(first) {
            return Some([origin, rest].concat());
        }
        place.push(first.clone());
        self.modules
            .contains(&place)
            .then(|| [&place, rest].concat())
    }

    fn import(&mut self, tree: &UseTree, before: &mut Words, is_export: bool) {
        let (name, alias) = match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before, is_export);
                before.pop();
                return;
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, is_export);
                }
                return;
            }
            UseTree::Glob(_) => {
                if let Some(words) = self.absolute(before) {
                    if is_export {
                        self.source.globs.push(words);
                    } else {
                        self.source
                            .named
                            .insert([words, vec!["*".to_owned()]].concat());
                    }
                }
                return;
            }
            UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(name) => (name.ident.to_string(), name.rename.to_string()),
        };
        let mut words = before.clone();
        let alias = if name == "self" && !before.is_empty() {
            before
                .last()
                .filter(|_| alias == "self")
                .cloned()
                .unwrap_or(alias)
        } else {
            words.push(name);
            alias
        };
        let Some(words) = self.absolute(&words) else {
            return;
        };
        if is_export {
            self.source.exports.insert(alias.clone(), words.clone());
        } else {
            self.source.named.insert(words.clone());
        }
        self.imported.insert(alias, words);
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_file(&mut self, file: &'ast syn::File) {
        // Imports first, for paths may stand before them.
        for item in &file.items {
            if let Item::Use(item) = item
                && !is_for_tests(&item.attrs)
            {
                let is_export = !matches!(item.vis, Visibility::Inherited);
                self.import(&item.tree, &mut Words::new(), is_export);
            }
        }
        for item in &file.items {
            self.source.defined.extend(defined_by(item));
        }
        visit::visit_file(self, file);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        let attributes: &[Attribute] = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(_) => return,
            _ => &[],
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let Some((_, items)) = &item.content else {
            return;
        };
        self.place.push(item.ident.to_string());
        for inner in items {
            if let Item::Use(inner) = inner
                && !is_for_tests(&inner.attrs)
            {
                self.import(&inner.tree, &mut Words::new(), false);
            }
            self.visit_item(inner);
        }
        self.place.pop();
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Words = path
            .segments
            .iter()
            .map(|word| word.ident.to_string())
            .collect();
        // A name alone is imported, which is an arrow already, unless it is also handed on.
        if (words.len() > 1 || self.source.exports.contains_key(&words[0]))
            && let Some(words) = self.absolute(&words)
        {
            self.source.named.insert(words);
        }
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        // Paths in attributes stand between other tokens, or in texts.
        let Meta::List(list) = &attribute.meta else {
            return;
        };
        let text = list.tokens.to_string().replace(" :: ", "::");
        let is_word = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
        for path in text.split(|letter| !is_word(letter)) {
            let words: Words = path.split("::").map(str::to_owned).collect();
            if let "crate" | "super" | "self" = words[0].as_str()
                && let Some(words) = self.absolute(&words)
            {
                self.source.named.insert(words);
            }
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Ok(arguments) = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
        {
            for argument in &arguments {
                // What is parsed here does not live as long as the file.
                let mut reader = Reader {
                    modules: self.modules,
                    place: self.place.clone(),
                    imported: self.imported.clone(),
                    source: Source::default(),
                };
                reader.visit_expr(argument);
                self.source.named.extend(reader.source.named);
            }
        }
        self.visit_path(&call.path);
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|path| path.is_ident("test"))
    })
}

/// The modules in files of their own that are for tests only.
fn test_modules((module, file): &(Module, syn::File)) -> Vec<Module> {
    let modules = file.items.iter().filter_map(|item| match item {
        Item::Mod(item) if is_for_tests(&item.attrs) => Some(item.ident.to_string()),
        _ => None,
    });
    modules
        .map(|name| [module.clone(), vec![name]].concat())
        .collect()
}

fn defined_by(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(name.to_string())
}

fn module_of(path: &str) -> Module {
    let path = path.trim_end_matches(".rs");
    let mut module: Module = path.split('/').map(str::to_owned).collect();
    if module
        .last()
        .is_some_and(|last| last == "mod" || last == "lib")
    {
        module.pop();
    }
    module
}

fn name_of(module: &[String]) -> String {
    if module.is_empty() {
        "lib".to_owned()
    } else {
        module.join("/")
    }
}

/// Nodes that reach each other.
struct Circle {
    nodes: Vec<String>,
    /// Along all of its arrows.
    names: Vec<String>,
    text: String,
}

/// The strongly connected parts of more than one node (Tarjan's algorithm), each with its arrows.
fn circles_of(arrows: &Arrows) -> Vec<Circle> {
    struct Search<'a> {
        arrows: &'a Arrows,
        order: BTreeMap<&'a str, usize>,
        low: BTreeMap<&'a str, usize>,
        stack: Vec<&'a str>,
        parts: Vec<Vec<&'a str>>,
    }
    impl<'a> Search<'a> {
        fn visit(&mut self, node: &'a str) {
            let number = self.order.len();
            self.order.insert(node, number);
            self.low.insert(node, number);
            self.stack.push(node);
            for target in self.arrows.get(node).into_iter().flat_map(BTreeMap::keys) {
                if !self.order.contains_key(target.as_str()) {
                    self.visit(target);
                    let low = self.low[node].min(self.low[target.as_str()]);
                    self.low.insert(node, low);
                } else if self.stack.contains(&target.as_str()) {
                    let low = self.low[node].min(self.order[target.as_str()]);
                    self.low.insert(node, low);
                }
            }
            if self.low[node] == number {
                let start = self
                    .stack
                    .iter()
                    .position(|other| *other == node)
                    .unwrap_or(0);
                self.parts.push(self.stack.split_off(start));
            }
        }
    }
    let mut search = Search {
        arrows,
        order: BTreeMap::new(),
        low: BTreeMap::new(),
        stack: Vec::new(),
        parts: Vec::new(),
    };
    for node in arrows.keys() {
        if !search.order.contains_key(node.as_str()) {
            search.visit(node);
        }
    }
    let parts = search.parts.into_iter().filter(|part| part.len() > 1);
    parts
        .map(|part| {
            let mut circle = Circle {
                nodes: part.iter().map(|node| (*node).to_owned()).collect(),
                names: Vec::new(),
                text: format!("{} in a circle", part.len()),
            };
            let inside = |node: &str| part.contains(&node);
            for (from, targets) in arrows.iter().filter(|(from, _)| inside(from)) {
                for (to, names) in targets.iter().filter(|(to, _)| inside(to)) {
                    circle.names.extend(names.iter().cloned());
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    let names = names.join(", ");
                    let _ = write!(circle.text, "\n  {from} -> {to}: {names}");
                }
            }
            circle
        })
        .collect()
}

/// The files below a folder, each as its path in it and its text.
fn files_below(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder of sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path
                    .strip_prefix(folder)
                    .expect("below it")
                    .display()
                    .to_string();
                files.push((name, fs::read_to_string(&path).expect("a text")));
            }
        }
    }
    files
}

#[test]
fn the_files_of_each_crate_use_each_other_in_one_direction() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the workspace");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let members = manifest["workspace"]["members"]
        .as_array()
        .expect("members");
    let shown = std::env::var("WHETSTONE_LAYERS").unwrap_or_default();
    let mut circles = Vec::new();
    for member in members.iter().filter_map(toml::Value::as_str) {
        let crate_ = Crate::read(&files_below(&root.join(member).join("src")));
        if member.rsplit('/').next() == Some(&shown) {
            for (from, targets) in crate_.uses() {
                for (to, names) in targets {
                    println!("{} -> {}: {names:?}", name_of(&from), name_of(&to));
                }
            }
        }
        let named = |circle| format!("{member}, {circle}");
        circles.extend(crate_.circles().into_iter().map(named));
    }
    assert!(
        circles.is_empty(),
        "files that use each other in a circle:\n{}",
        circles.join("\n")
    );
}

fn circles(files: &[(&str, &str)]) -> Vec<String> {
    let files = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    Crate::read(&files.collect::<Vec<_>>()).circles()
}

#[test]
fn a_circle_of_files_is_found_with_the_names_that_tie_it() {
    let found = circles(&[
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "use crate::b::B; pub struct A(B);"),
        ("b.rs", "pub struct B; impl B { fn a(_: &super::a::A) {} }"),
    ]);
    assert_eq!(found[0], "files: 2 in a circle\n  a -> b: B\n  b -> a: A");
}

#[test]
fn a_child_and_its_parent_that_use_each_other_are_a_circle() {
    let files = [
        ("lib.rs", "mod a;"),
        ("a.rs", "mod b; pub struct A; fn go() { b::go(); }"),
        ("a/b.rs", "use super::A; pub fn go() { let _ = A; }"),
    ];
    assert_eq!(circles(&files).len(), 1, "{:?}", circles(&files));
}

#[test]
fn a_name_that_is_handed_on_belongs_to_the_file_that_defines_it() {
    let mut files = vec![
        ("lib.rs", "mod a;"),
        ("a.rs", "mod b; mod c; pub use b::B; pub use c::*;"),
        ("a/b.rs", "pub struct B;"),
        ("a/c.rs", "use super::B; pub struct C(B);"),
    ];
    assert!(circles(&files).is_empty(), "{:?}", circles(&files));
    files[2].1 = "use super::C; pub struct B(Box<C>);";
    assert_eq!(circles(&files).len(), 1, "{:?}", circles(&files));
}

#[test]
fn what_is_for_tests_is_no_arrow() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "use crate::b::B; pub struct A(B); #[cfg(test)] mod tests;",
        ),
        ("a/tests.rs", "use super::A;"),
        (
            "b.rs",
            "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }",
        ),
    ];
    assert!(circles(&files).is_empty(), "{:?}", circles(&files));
}

#[test]
fn folders_that_use_each_other_are_found_though_no_files_do() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "mod one; mod two;"),
        ("a/one.rs", "pub struct One;"),
        ("a/two.rs", "use crate::b::B; pub struct Two(B);"),
        ("b.rs", "use crate::a::one::One; pub struct B(One);"),
    ];
    let found = circles(&files);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("folders in lib: 2 in a circle"),
        "{found:?}"
    );
}

#[test]
fn a_name_that_a_file_hands_on_and_uses_is_an_arrow() {
    let files = [
        ("lib.rs", "mod a;"),
        ("a.rs", "mod b; pub use b::B; pub struct A(B);"),
        ("a/b.rs", "pub struct B; fn go(_: super::A) {}"),
    ];
    assert_eq!(circles(&files).len(), 1, "{:?}", circles(&files));
}

#[test]
fn a_path_in_an_attribute_is_an_arrow() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "#[serde(with = \"crate::b::form\")] pub struct A;"),
        ("b.rs", "use crate::a::A; pub fn form(_: A) {}"),
    ];
    assert_eq!(circles(&files).len(), 1, "{:?}", circles(&files));
}

#[test]
fn a_grandchild_that_uses_the_face_of_its_folder_is_a_circle_of_folders() {
    let files = [
        ("lib.rs", "mod a;"),
        ("a.rs", "mod b; pub struct A; pub fn go() { b::go(); }"),
        ("a/b.rs", "mod c; pub fn go() {}"),
        ("a/b/c.rs", "use crate::a::A; pub struct C(A);"),
    ];
    assert_eq!(circles(&files).len(), 1, "{:?}", circles(&files));
}
