// The server: requests with the token, and what is said when it is gone.
"use strict";

const byId = (id) => document.getElementById(id);

// The token is in the address that the terminal shows; it is kept for this tab and taken out of the address bar.
const given = new URLSearchParams(location.search).get("token");
if (given) {
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname + location.hash);
}
const token = () => sessionStorage.getItem("token") || "";

// What opens a place of these pages in another tab, which has no token of its own.
const addressOf = (place) => `/?${new URLSearchParams({ token: token() })}#${place}`;

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { "x-token": token() } });
  } catch (error) {
    setLost(true);
    throw new Error("the server does not answer");
  }
  setLost(false);
  if (response.ok) return response;
  const isJson = (response.headers.get("content-type") || "").startsWith("application/json");
  const answer = isJson ? await response.json() : {};
  throw new Error(answer.error || `the server answers ${response.status}`);
}

const ask = async (path, options) => (await send(path, options)).json();

// A server that is gone cannot be asked for anything.
function setLost(isLost) {
  byId("lost").hidden = !isLost;
  for (const part of document.querySelectorAll("[data-asks]")) part.inert = isLost;
}

// The number in a field; anything else is an error that says what was expected.
function wholeNumber(input, what, most) {
  const number = Number(input.value);
  if (input.value.trim() !== "" && Number.isInteger(number) && number >= 1 && number <= most) return number;
  const got = input.value.trim() === "" ? "nothing that is a number" : input.value;
  throw new Error(`${what}: expected a whole number from 1 to ${most}, got ${got}`);
}
