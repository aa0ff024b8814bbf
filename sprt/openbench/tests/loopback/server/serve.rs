//! What each path answers, and what each form does.

use super::*;

pub(super) fn serve(
    fake: &Fake,
    method: &Method,
    path: &str,
    query: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Reply {
    let mut bench = fake.bench();
    let body = String::from_utf8_lossy(body).into_owned();
    if *method == Method::POST {
        bench.posted.push((path.to_owned(), body.clone()));
    }
    let session = cookie(headers, "sessionid");
    let user = session
        .as_ref()
        .and_then(|session| bench.sessions.get(session).cloned());
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let is_api = parts.first() == Some(&"api");
    // A machine that is not there is looked up before the login.
    let shows_nothing = path == "/login/" || matches!(parts.as_slice(), ["machines", _]);
    if bench.require_login && user.is_none() && !shows_nothing {
        return if is_api {
            Reply::error("API requires authentication for this server")
        } else {
            bench.redirect_with_message(
                &session.unwrap_or_default(),
                "error",
                "All pages require a user login to access",
                "/login/",
            )
        };
    }
    let forged = || {
        let token = cookie(headers, "csrftoken");
        token.is_none()
            || headers
                .get("x-csrftoken")
                .and_then(|value| value.to_str().ok())
                != token.as_deref()
    };
    if *method == Method::POST && !is_api && forged() {
        return Reply {
            status: StatusCode::FORBIDDEN,
            ..Reply::html("<h1>Forbidden (403)</h1><p>CSRF verification failed.</p>")
        };
    }
    let session = session.unwrap_or_default();
    let machines_active = bench.machines_active;
    let mut reply = match (parts.as_slice(), method) {
        (["login"], &Method::POST) => bench.log_in(&session, &form(&body)),
        (["login"], _) => {
            bench.token += 1;
            let shown = bench.shown(&session);
            let form = "<form action=\"/login/\"><input name=\"password\"></form>";
            Reply {
                cookies: vec![format!("csrftoken=token{}", bench.token)],
                ..Reply::html(&format!("{shown}{form}"))
            }
        }
        (
            ["index"] | ["test" | "tune" | "datagen", "new"] | ["user", ..] | ["index", _],
            &Method::GET,
        ) => {
            let shown = bench.shown(&session);
            let disabled = ACCOUNTS
                .iter()
                .any(|account| Some(account.0) == user.as_deref() && !account.2);
            let disabled = if disabled {
                message(
                    "error",
                    "Account has not been enabled. Contact an Administrator",
                )
            } else {
                String::new()
            };
            let rows = bench.rows("");
            Reply::html(&format!("{disabled}{shown}{rows}"))
        }
        (["search"], _) => {
            let words = form(query).remove("info-contains").unwrap_or_default();
            match bench.rows(&words) {
                rows if rows.contains("href=\"/t") || rows.contains("href=\"/d") => {
                    Reply::html(&rows)
                }
                rows => Reply::html(&format!(
                    "{}{rows}",
                    message("error", "No matching tests found")
                )),
            }
        }
        (["events", "1"], _) => Reply::html(&(head(5) + &bench.events)),
        (["events", _], _) => Reply::html(&head(5)),
        (["errors"], _) => Reply::html(&(head(6) + &bench.errors)),
        (["machines"], _) => {
            let shown = bench.shown(&session);
            Reply::html(&(shown + &head(8) + &bench.machines))
        }
        (["machines", _], _) => {
            bench.redirect_with_message(&session, "error", "Machine does not exist", "/machines/")
        }
        (["networks", _], _) => {
            let shown = bench.shown(&session);
            Reply::html(&shown)
        }
        (["errors", _], _) => Reply::html(&head(6)),
        ([kind @ ("test" | "tune" | "datagen"), "new"], &Method::POST) => {
            let kind = Kind::ALL
                .iter()
                .map(|known| known.word())
                .find(|known| known == kind);
            bench.create(kind.unwrap_or_default(), user, &session, form(&body))
        }
        ([_, id, action], _) if matches!(parts[0], "test" | "tune" | "datagen") => {
            bench.act(id, action, user, &session, &form(&body))
        }
        (["tune", id], _) => {
            let info = id.parse::<usize>().ok();
            let info = info.and_then(|id| bench.workloads.get(id.wrapping_sub(1)));
            let games = info.map_or(Value::from(0), |tune| tune.info["games"].clone());
            let page = include_str!("../../data/tune.html");
            Reply::html(&page.replace("0/80 Games", &format!("{games}/80 Games")))
        }
        (["api", "config"], _) => Reply::json(
            &json!({"engines": ["TinyRust", "Other"], "books": {"tiny.epd": {"sha": "", "source": ""}}}),
        ),
        (["api", "config", "TinyRust" | "Other"], _) => Reply {
            body: include_str!("../../data/engine.json").into(),
            ..Reply::json(&json!({}))
        },
        (["api", "networks", "TinyRust" | "Other"], _) => Reply::json(&bench.network_list()),
        (["api", "networks", _, hash], _) => match bench
            .networks
            .iter()
            .find(|(_, content)| short(content) == **hash)
        {
            Some((_, content)) => Reply {
                kind: "application/octet-stream",
                body: content.clone(),
                ..Reply::html("")
            },
            None => Reply::error("Engine not found. Check /api/config/ for a full list"),
        },
        (["api", "networks", engine, hash, "delete"], _) => {
            let known = bench.networks.len();
            bench
                .networks
                .retain(|(_, content)| short(content) != **hash);
            if bench.networks.len() < known {
                Reply::json(&json!({"success": format!("Deleted {hash} for {engine}")}))
            } else {
                Reply::error(&format!("Network {hash} for Engine {engine} not found"))
            }
        }
        (["networks", engine, "UPLOAD", name], _) => {
            if user.as_deref() == Some("alice") {
                let start = body.find("\r\n\r\n").map_or(0, |place| place + 4);
                let end = body.rfind("\r\n--").unwrap_or(body.len());
                let content = body.as_bytes()[start..end].to_owned();
                bench.networks.push(((*name).to_owned(), content));
                Reply::to(&format!("/networks/{engine}/"))
            } else {
                Reply::to("/index/")
            }
        }
        (["networks", engine, "EDIT", hash], &Method::POST) => {
            let form = form(&body);
            let named = form.get("name").cloned().unwrap_or_default();
            let flag = |name: &str| form.get(name).is_some_and(|value| value == "TRUE");
            let (is_default, was_default) = (flag("default"), flag("was_default"));
            let network = bench
                .networks
                .iter_mut()
                .find(|(_, content)| short(content) == **hash);
            match network {
                _ if user.as_deref() != Some("alice") => Reply::to("/index/"),
                None => bench.redirect_with_message(
                    &session,
                    "error",
                    "No network found with matching Sha",
                    "/networks/",
                ),
                Some((name, _)) => {
                    *name = named;
                    bench.default_network = is_default.then(|| (*hash).to_owned());
                    bench.past_defaults.remove(*hash);
                    if is_default || was_default {
                        bench.past_defaults.insert((*hash).to_owned());
                    }
                    let to = format!("/networks/{engine}/");
                    bench.redirect_with_message(&session, "status", "Applied changes", &to)
                }
            }
        }
        (["api", "pgns", _], _) => {
            let next = if bench.archives.len() > 1 {
                bench.archives.remove(0)
            } else {
                bench
                    .archives
                    .first()
                    .cloned()
                    .unwrap_or(Err("Unable to find PGN for Workload #1"))
            };
            match next {
                Ok(archive) => Reply {
                    kind: "application/octet-stream",
                    body: archive,
                    ..Reply::html("")
                },
                Err(words) => Reply::error(words),
            }
        }
        (["api", "spsa", _, "digest" | "inputs" | "outputs"], _) => Reply {
            kind: "text/plain",
            body: bench.digest.clone().into_bytes(),
            ..Reply::html("")
        },
        (["api", "workload", id, query], _) => match bench.workload(id) {
            None => Reply::error("Requested Workload Id does not exist"),
            Some(workload) => match *query {
                "info" => Reply::json(&json!({"info": workload.info})),
                "results" => Reply::json(
                    &json!({"results": [{"active": machines_active, "machine__id": 1, "machine__user__username": "alice", "games": 16, "LL": 0, "LD": 2, "DD": 3, "DW": 3, "WW": 0, "timeloss": 1, "crashes": 0}]}),
                ),
                _ => Reply::json(&json!({"summary": {"user": [], "cpu_name": [], "isa_name": []}})),
            },
        },
        _ => Reply {
            status: StatusCode::NOT_FOUND,
            ..Reply::html("Not Found")
        },
    };
    if session.is_empty() {
        bench.token += 1;
        let fresh = format!("guest{}", bench.token);
        if !reply
            .cookies
            .iter()
            .any(|cookie| cookie.starts_with("sessionid"))
        {
            reply.cookies.push(format!("sessionid={fresh}"));
        }
    }
    reply
}

impl Bench {
    pub fn forget_sessions(&mut self) {
        self.sessions.clear();
    }

    fn redirect_with_message(
        &mut self,
        session: &str,
        kind: &'static str,
        text: &str,
        to: &str,
    ) -> Reply {
        self.messages
            .insert(session.to_owned(), (kind, text.to_owned()));
        Reply::to(to)
    }

    fn shown(&mut self, session: &str) -> String {
        self.messages
            .remove(session)
            .map_or_else(String::new, |(kind, text)| message(kind, &text))
    }

    fn log_in(&mut self, session: &str, form: &HashMap<String, String>) -> Reply {
        let given = (
            form.get("username").map(String::as_str),
            form.get("password").map(String::as_str),
        );
        let account = ACCOUNTS
            .iter()
            .find(|(name, password, ..)| given == (Some(name), Some(password)));
        let Some((name, ..)) = account else {
            return self.redirect_with_message(
                session,
                "error",
                "Unable to authenticate user",
                "/login/",
            );
        };
        self.token += 1;
        let session = format!("session{}", self.token);
        self.sessions.insert(session.clone(), (*name).to_owned());
        // A login changes the token, as Django's does.
        Reply {
            cookies: vec![
                format!("sessionid={session}"),
                format!("csrftoken=fresh{}", self.token),
            ],
            ..Reply::to("/index/")
        }
    }

    fn workload(&mut self, id: &str) -> Option<&mut Workload> {
        let id: usize = id.parse().ok()?;
        self.workloads.get_mut(id.checked_sub(1)?)
    }

    fn rows(&self, words: &str) -> String {
        let mut rows = String::from(
            "<table class=\"test-list\"><tr class=\"table-header\"><th colspan=7>Active : 0 Machines</th></tr>",
        );
        for (index, workload) in self.workloads.iter().enumerate().rev() {
            let info = workload.info["info"].as_str().unwrap_or_default();
            if !info.to_lowercase().contains(&words.to_lowercase())
                || workload.info["deleted"] == json!(true)
            {
                continue;
            }
            let _ = write!(
                rows,
                "<tr><td class=\"datestamp\">1795283044</td><td><a href=\"/user/{}\">Xx</a></td><td>TinyRust</td><td><a href=\"/{}/{}/\">branch</a></td><td><a href=\"https://github.com/x/compare\">diff</a></td><td>N=1</td><td><strong>a<br/>b</strong></td><td><div>{}</div></td></tr>",
                workload.author,
                workload.kind,
                index + 1,
                escaped(info)
            );
        }
        rows + "</table>"
    }

    fn create(
        &mut self,
        kind: &'static str,
        user: Option<String>,
        session: &str,
        form: HashMap<String, String>,
    ) -> Reply {
        let Some(user) = user.filter(|user| user != "carol") else {
            return self.redirect_with_message(
                session,
                "error",
                "Only enabled users can create tests",
                "/login/",
            );
        };
        if form
            .get("dev_engine")
            .is_none_or(|engine| engine != "TinyRust")
            || !form.contains_key("info")
        {
            return Reply::crash(&format!("KeyError at /{kind}/new/"));
        }
        if let Some(words) = self.refuse.take() {
            return self.redirect_with_message(session, "error", words, &format!("/{kind}/new/"));
        }
        let mut info = recorded_info();
        info["id"] = json!(self.workloads.len() + 1);
        info["info"] = json!(form["info"]);
        info["author"] = json!(user);
        for side in ["dev", "base"] {
            info[side]["sha"] = json!("");
        }
        info["test_mode"] = json!(match kind {
            "tune" => "SPSA",
            "datagen" => "DATAGEN",
            _ => "SPRT",
        });
        for flag in ["passed", "failed", "finished", "deleted"] {
            info[flag] = json!(false);
        }
        info["approved"] = json!(user == "alice");
        self.workloads.push(Workload {
            kind,
            author: user,
            form,
            info,
        });
        Reply::to("/index/")
    }

    fn act(
        &mut self,
        id: &str,
        action: &str,
        user: Option<String>,
        session: &str,
        form: &HashMap<String, String>,
    ) -> Reply {
        let Some(user) = user else {
            return self.redirect_with_message(
                session,
                "error",
                "Only users may modify Workloads",
                "/login/",
            );
        };
        let words = match (self.workload(id), action) {
            (None, _) => Err("No such Workload exists"),
            (Some(workload), _) if user != "alice" && workload.author != user => {
                Err("You cannot interact with another user's Workload")
            }
            (Some(_), "APPROVE") if user != "alice" => Err("You cannot approve this Workload"),
            (Some(workload), _) => {
                let set = |field: &str, value: bool, words: &'static str, info: &mut Value| {
                    info[field] = json!(value);
                    Ok(words)
                };
                let info = &mut workload.info;
                match action {
                    "STOP" => set("finished", true, "Workload was Stopped!", info),
                    "RESTART" => set("finished", false, "Workload was Restarted!", info),
                    "DELETE" => set("deleted", true, "Workload was Deleted!", info),
                    "RESTORE" => set("deleted", false, "Workload was Restored!", info),
                    "APPROVE" => set("approved", true, "Workload was Approved!", info),
                    "MODIFY" => {
                        // As the server does: values that it does not accept are silently left as
                        // they were.
                        let number = |field: &str| {
                            form.get(field).and_then(|value| value.parse::<i64>().ok())
                        };
                        if let Some(priority) = number("priority") {
                            info["priority"] = json!(priority);
                        }
                        if let Some(throughput) = number("throughput") {
                            info["throughput"] = json!(throughput.max(1));
                        }
                        if let Some(size) =
                            number("workload_size").filter(|_| info["test_mode"] != "SPSA")
                        {
                            info["workload_size"] = json!(size.max(1));
                        }
                        if let Some(text) = form.get("info") {
                            info["info"] = json!(text);
                        }
                        Ok("Workload was Modified!")
                    }
                    _ => Err("Unknown Workload action"),
                }
            }
        };
        match words {
            Ok(words) => self.redirect_with_message(session, "status", words, "/index/"),
            Err(words) => self.redirect_with_message(session, "error", words, "/index/"),
        }
    }

    fn network_list(&self) -> Value {
        let network = |(name, content): &(String, Vec<u8>)| json!({"default": self.default_network.as_ref() == Some(&short(content)), "was_default": self.past_defaults.contains(&short(content)), "sha256": short(content), "name": name, "engine": "TinyRust", "author": "alice", "created": "2026-11-20"});
        json!({"default": null, "networks": self.networks.iter().map(network).collect::<Vec<_>>()})
    }
}
