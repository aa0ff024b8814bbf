//! What a page needs that is written again and again while a run is played: it loads itself anew,
//! and says when nobody writes it any more.

use std::time::Duration;

/// For the head of a page that is written every `interval`, made at `now`, in milliseconds since
/// 1970.
pub(crate) fn head(interval: Duration, now: i64) -> String {
    let seconds = interval.as_secs().max(1);
    // A page that is three intervals old is no longer being written.
    let late = 3 * 1000 * seconds;
    format!(
        "<meta http-equiv=\"refresh\" content=\"{seconds}\"><script>\
         addEventListener('DOMContentLoaded',()=>{{const made={now},lost=document.getElementById('lost');\
         const look=()=>{{if(Date.now()-made>{late})lost.hidden=false}};look();setInterval(look,1000)}})\
         </script>"
    )
}

/// Hidden until the page is late.
pub(crate) const LOST: &str = "<p class=\"warning\" id=\"lost\" hidden>This page is not renewed any more: \
    <code>tuner report --live</code> has ended. The figures are those of its last moment.</p>\n";

/// The run is not finished, and no process plays it.
pub(crate) const ABANDONED: &str = "<p class=\"warning\">Nobody plays this run now: \
    <code>tuner resume</code> goes on with it.</p>\n";
