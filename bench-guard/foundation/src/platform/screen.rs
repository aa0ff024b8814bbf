//! How a page is opened for whoever sits at the machine.

use std::process::{Command, Stdio};

/// Opens a page in the user's browser, if there is a screen.
pub fn open_page(url: &str) {
    let is_mac = cfg!(target_os = "macos");
    let opener = if is_mac { "open" } else { "xdg-open" };
    let has_display = |name: &&str| std::env::var_os(name).is_some();
    if is_mac || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(has_display) {
        // That it does not start is no failure.
        let _ = Command::new(opener)
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
    }
}
