//! A network's name and flags, changed through the server's pages, and read back.

use foundation::Failure;
use openbench_command::command::NetworkChanges;

use crate::read::api::Network;
use crate::session::Session;

/// Changes what is given and leaves the rest; gives the network as it is then, or none if it was so
/// already. A new default takes the place of the old one.
pub async fn edit(
    session: &mut Session,
    engine: &str,
    network: &Network,
    changes: &NetworkChanges,
) -> Result<Option<Network>, Failure> {
    let path = format!("/networks/{engine}/EDIT/{}/", network.sha256);
    let flag = |value: bool| if value { "TRUE" } else { "FALSE" };
    let name = changes.name.as_deref().unwrap_or(&network.name);
    let default = changes.default.unwrap_or(network.default);
    // The server's form sends all of them; a default also counts as one that was.
    let wanted = Network {
        name: name.to_owned(),
        default,
        was_default: default || changes.was_default.unwrap_or(network.was_default),
        ..network.clone()
    };
    if wanted == *network {
        return Ok(None);
    }
    let form = [
        ("name", name),
        ("default", flag(wanted.default)),
        ("was_default", flag(wanted.was_default)),
    ];
    let (_, messages) = session.submit(&path, &form).await?;
    if let Some(error) = messages.error {
        return Err(session.refusal(&path, &error));
    }
    let now = read_back(session, engine, network).await?;
    if now.as_ref() == Some(&wanted) {
        Ok(now)
    } else {
        Err(not_taken(session, network))
    }
}

async fn read_back(
    session: &mut Session,
    engine: &str,
    network: &Network,
) -> Result<Option<Network>, Failure> {
    let networks = session.networks(engine).await?.networks;
    let mut same = networks
        .into_iter()
        .filter(|now| now.sha256 == network.sha256);
    Ok(same.next())
}

/// The server redirects users without the right to its front page, and says nothing.
fn not_taken(session: &Session, network: &Network) -> Failure {
    Failure::unable(format!(
        "{} leaves the network {} as it is, and does not say why",
        session.server(),
        network.name
    ))
    .hint("only approvers may change networks")
}
