//! `sprt openbench users`.

use foundation::{Exit, Failure, Printer};
use openbench_command::command::Everything;

use super::table::{moment, object, table};
use crate::read::tables;
use crate::settings::Settings;

pub async fn run(args: &Everything, printer: Printer) -> Result<Exit, Failure> {
    let mut session = Settings::find()?.session(&args.server, None, printer)?;
    let users = session.page("/users/", &[], tables::users).await?;
    if args.json {
        object("openbench-users", "users", &users, printer);
        return Ok(Exit::Yes);
    }
    let rows = users.into_iter().map(|user| {
        [
            user.name,
            user.games.to_string(),
            user.tests.to_string(),
            user.engine,
            moment(user.created),
        ]
    });
    let heads = ["user", "games", "tests", "engine", "since"];
    table(
        heads,
        rows,
        "no user has games, tests or the right to approve",
        printer,
    );
    Ok(Exit::Yes)
}
