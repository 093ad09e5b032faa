/* The search page. Exact things come from the site's own index (site_src/search/exact.py tells its form), words from
   Pagefind. A query is read by the rules of site_src/search/terms.py. Nothing that was found becomes markup. */
(() => {
"use strict";
const form = document.getElementById("search");
const { root, exact, page, prose, group, decimal } = form.dataset;
const starts = JSON.parse(form.dataset.starts), units = JSON.parse(form.dataset.units);
const texts = JSON.parse(form.dataset.texts);
const box = form.elements.q, count = document.getElementById("count"), listed = document.getElementById("a-z");
const hits = document.getElementById("hits");
const STEP = 50, GUIDES = 5, SECTIONS = 2, AROUND = 90, PER_PART = 16;
const CLASSES = "vstn", NAMES = ["value", "source", "text", "name"];

/* The words of the page, and whole numbers in its language. */
const say = (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const grouped = digits => digits.replace(/\B(?=(\d{3})+$)/g, group);
const counted = (n, key, values) => say(`${key}.${n === 1 ? "one" : "other"}`, { n: grouped(`${n}`), ...values });

/* Text → terms. */
const GROUPED = /(?<![\p{L}\p{N}_.,])\d{1,3}([,'’\u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?!\d|\1\d)/gu;
const CHUNK = /[^\s\/=:;|()\[\]{}<>@&~*≈≤≥→–—"“”„‘’‹›«»…,!?。、，；：！？「」『』（）【】《》·•]+/gu;
const NUMBER = /^-?\d+(?:\.\d+)?/, HASH = /^[0-9a-f]{7,64}$/;
const spelt = units.flatMap((names, unit) => names.slice(1).map(name => [name, unit]));
spelt.sort((a, b) => b[0].length - a[0].length);

const plain = text => text.replace(GROUPED, (all, mark) => all.replaceAll(mark, "")).normalize("NFKC").toLowerCase()
  .replaceAll("\u2212", "-").replace(/(?<=\d),(?=\d)/g, ".")
  .replace(/(?<![\p{L}\p{N}_-])(?:pr|pull request)s?\s*#?\s*(?=\d)/gu, "pr");

function trimmed(chunk) {
  const bare = chunk.replace(/^[-.+_#'$€^`]+|[-.+_#'$€^`]+$/g, "").replace(/['’]s$/, "");
  return /^\d/.test(bare) && chunk[0] === "-" && chunk[1] === bare[0] ? "-" + bare : bare;
}

function unitAfter(text) {
  const rest = text.replace(/^\s/, "");
  return spelt.find(([name]) => rest.startsWith(name) && !/^[\p{L}\p{N}_\/]/u.test(rest.slice(name.length)));
}

function termsOf(query) {
  const text = plain(query.replace(/^\s*\d{1,3}(?: \d{3})+(?=$|\.\d|\s+\D)/, all => all.replaceAll(" ", "")));
  const terms = [];
  let told = 0;
  for (const match of text.matchAll(CHUNK)) {
    const chunk = trimmed(match[0]), end = match.index + match[0].lastIndexOf(chunk) + chunk.length;
    if (!chunk || match.index < told) continue;
    const number = NUMBER.exec(chunk)?.[0];
    const unit = number && (number === chunk ? unitAfter(text.slice(end)) : spelt.find(s => s[0] === chunk.slice(number.length)));
    if (number === chunk && unit) told = text.indexOf(unit[0], end) + unit[0].length;
    if (number && (unit || number === chunk)) terms.push({ number, unit: unit?.[1] });
    else terms.push(/\p{Nd}/u.test(chunk) ? { code: chunk } : { word: chunk });
  }
  return terms;
}

/* How else a number may be meant that holds one comma, or dots between groups of three. */
function otherwise(query) {
  const number = /^\s*[-−]?\d[\d.,]*/.exec(query)?.[0] ?? "", rest = query.slice(number.length);
  if (/^\s*[-−]?\d{1,3},\d{3}$/.test(number)) return number.trim().replace(",", ".") + rest;
  return /^\s*[-−]?\d{1,3}(\.\d{3})+$/.test(number) ? number.trim().replaceAll(".", "") + rest : "";
}

/* Terms → places. From a folder on disk nothing can be fetched: there, parts are scripts that call pinpressExact. */
const loaded = new Map(), waiting = new Map();
window.pinpressExact = (name, content) => waiting.get(name)(content);

const scripted = name => new Promise((done, fail) => {
  const script = document.createElement("script");
  waiting.set(name, done);
  script.src = `${exact}${name}.js`;
  script.onerror = () => fail(new Error(name));
  document.head.append(script);
});

async function asked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${address}`);
  return answer;
}

const inflated = async name => new Response((await asked(`${exact}${name}.idx`)).body
  .pipeThrough(new DecompressionStream("deflate-raw"))).text();

function once(name, make) {
  if (!loaded.has(name)) loaded.set(name, make(name).catch(error => { loaded.delete(name); throw error; }));
  return loaded.get(name);
}

const load = name => once(name, page ? scripted : inflated);

async function lines(from, to, wanted) {
  let at = starts.findLastIndex(start => start <= from);
  const kept = [];
  for (at = Math.max(at, 0); at < starts.length && starts[at] <= to; at++)
    for (const line of (await load("k" + at.toString(36))).split("\n")) {
      const key = line.slice(0, line.indexOf("\t"));
      if (wanted(key)) kept.push([key, line.slice(key.length + 1)]);
    }
  return kept;
}

function linesOf({ number, code, word }) {
  const key = number ?? code ?? word, isHash = k => HASH.test(k) && (/\D/.test(k) || k.length === 40 || k.length === 64);
  if (word) return word.length > 2 || /[^\x00-\x7f]/.test(word)
    ? lines(word, word + "\uffff", k => k.startsWith(word)) : lines(word, word, k => k === word);
  const bare = key.replace(/^v(?=\d+\.\d)/, ""), hash = bare.replace(/^g(?=[0-9a-f]{7})/, "");
  if (HASH.test(hash)) return lines(hash < bare ? hash : bare, (hash < bare ? bare : hash) + "\uffff",
    k => k === bare || k === hash || isHash(k) && k.startsWith(hash));
  const base = number && /\.\d*[1-9]/.test(number) ? number.replace(/0+$/, "") : bare;
  return lines(base, base + "\uffff", k => k === bare || base !== bare && k === base
    || number && base.includes(".") && k.startsWith(base) && /^0*$/.test(k.slice(base.length)) && /\.\d*[1-9]/.test(base));
}

async function holders(term) {
  const held = new Map(), key = term.number ?? term.code?.replace(/^v(?=\d+\.\d)/, "") ?? term.word;
  for (const [name, groups] of await linesOf(term))
    for (const [kind, guides] of groups.split(";").map(group => group.split("="))) {
      const unit = kind.length > 1 ? parseInt(kind.slice(1), 36) : undefined;
      if (term.unit !== undefined && unit !== term.unit || term.word && kind !== "n") continue;
      if (/^v\d/.test(term.code ?? "") && unit !== undefined) continue;
      const rank = CLASSES.indexOf(kind[0]) + (name === key || term.word ? 0 : .5);
      for (const [guide, ...places] of guides.split(",").map(g => g.split(".").map(n => parseInt(n, 36)))) {
        if (!held.has(guide)) held.set(guide, new Map());
        for (const place of places) {
          const known = held.get(guide).get(place);
          if (!known || rank < known.rank) held.get(guide).set(place, { rank, name, unit });
        }
      }
    }
  return held;
}

/* A place must hold every term itself, or its guide as a whole (place 0) must. Beside a number or code, words that
   stand in no name are left out; they are told in `without`. */
async function hitsOf(terms) {
  const all = await Promise.all(terms.map(holders));
  const isExact = terms.some(term => !term.word);
  const isLeft = (term, n) => isExact && term.word && !all[n].size;
  const asked = all.filter((_, n) => !isLeft(terms[n], n)), hits = [];
  for (const guide of asked.length ? asked[0].keys() : []) {
    const here = asked.map(held => held.get(guide));
    if (here.includes(undefined)) continue;
    for (const place of new Set(here.flatMap(places => [...places.keys()]))) {
      const by = here.map(places => places.get(place) ?? places.get(0));
      if (!by.includes(undefined)) hits.push({ guide, place, by, rank: Math.max(...by.map(b => b.rank)) });
    }
  }
  const order = hit => hit.rank - (hit.place ? 0 : .25);
  hits.sort((a, b) => order(a) - order(b) || a.guide - b.guide || a.place - b.place);
  hits.without = terms.filter(isLeft).map(term => term.word).join(" ");
  return hits;
}

/* Places → the page. */
function make(tag, text, parts = [], named = "") {
  const element = document.createElement(tag);
  if (named) element.className = named;
  element.append(text, ...parts);
  return element;
}

function link(href, text) {
  const a = make("a", text);
  a.href = href;
  return a;
}

const addressOf = (route, anchor) =>
  root + route.slice(1).split("/").map(encodeURIComponent).join("/") + page + (anchor && "#" + encodeURIComponent(anchor));

function shown({ name, unit }) {
  const typed = box.value.toLowerCase().indexOf(name);
  const [, sign, whole, rest] = /^(-?)(\d+)(\.\d+)?$/.exec(name) ?? [];
  const text = whole ? (sign && "−") + grouped(whole) + (rest ?? "").replace(".", decimal) : typed < 0 ? name : box.value.slice(typed, typed + name.length);
  return unit === undefined ? text : `${text}\u00a0${units[unit][0]}`;
}

async function itemOf({ guide, place, by, rank }) {
  const [title, routes, places] = JSON.parse(await load("g" + Math.floor(guide / PER_PART).toString(36)))[guide % PER_PART];
  const [route, anchor, label] = places[place];
  const href = addressOf(routes[route], anchor);
  const said = by.some(b => b.rank < 3) ? [make("b", by.filter(b => b.rank < 3).map(shown).join(", ")), " "] : [];
  const badge = make("span", say(NAMES[Math.floor(rank)]), [], "badge plain");
  const meta = make("p", badge, [" ", ...said, make("span", place ? title : say("guide"), [], "small muted")]);
  return make("li", link(href, label), [meta]);
}

/* Words → sections. Pagefind knows which guides hold them; the guide itself is read for the sections. */
const started = async () => {
  const at = new URL(prose, document.baseURI), module = await import(at + "pagefind.js");
  await module.options({ noWorker: true });
  return [module, await (await asked(at + "guides.json")).json()];
};

async function guidesWith(words) {
  const [module, routes] = await once("prose", started);
  return (await module.search(words)).results.map(result => ({ route: routes[result.id], words }));
}

const read = address => once(address, async () =>
  new DOMParser().parseFromString(await (await asked(address)).text(), "text/html").querySelector("main"));

/* The parts of a guide under their headings, without tables, lists of contents and sources. */
function sectionsOf(main) {
  const skipped = "table, nav, pre, .refs, .vh, .crumb, summary, style, script, noscript", found = [{ anchor: "", label: "", text: "" }];
  const walk = node => {
    if (node.nodeType === Node.TEXT_NODE) found.at(-1).text += node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (/^H[2-4]$/.test(node.nodeName) && node.id) found.push({ anchor: node.id, label: node.textContent, text: "" });
    else if (!node.matches(skipped)) node.childNodes.forEach(walk);
    if (/^(P|LI|H\d|D[DT]|DIV|BR|FIGCAPTION)$/.test(node.nodeName)) found.at(-1).text += " ";
  };
  walk(main);
  return found;
}

function excerpt(text, wanted) {
  const at = Math.max(0, text.search(wanted) - AROUND / 2), from = at && text.indexOf(" ", at) + 1;
  const to = text.length - from > 2.5 * AROUND ? text.lastIndexOf(" ", from + 2.5 * AROUND) : text.length;
  const parts = text.slice(from, to).split(wanted).map((part, n) => n % 2 ? make("mark", part) : part);
  return [from ? "… " : "", ...parts, to < text.length ? " …" : ""];
}

/* A word that was found may have another ending than the one that was typed. */
const wantedOf = words => words.map(word => word.length > 5 ? word.slice(0, -2) : word)
  .map(stem => new RegExp(`((?<![\\p{L}\\p{N}])${stem.replace(/[\\^$.*+?()[\]{}|\/]/g, "\\$&")}[\\p{L}\\p{M}]*)`, "iu"));

async function passageOf({ route, words }) {
  const main = await read(addressOf(route, "")), title = main.querySelector("h1").textContent;
  const wanted = wantedOf(words.split(" "));
  const sections = sectionsOf(main).map(section => ({ ...section, text: section.text.replace(/\s+/g, " ").trim() }));
  for (const section of sections) section.held = wanted.filter(word => word.test(`${section.label} ${section.text}`));
  const best = Math.max(...sections.map(section => section.held.length));
  const shownHere = best ? sections.filter(section => section.held.length === best).slice(0, SECTIONS) : [];
  const entries = shownHere.map(({ anchor, label, text, held }) =>
    make("p", anchor ? link(addressOf(route, anchor), label) : "", [anchor ? ": " : "", ...excerpt(text, held[0])]));
  return make("li", link(addressOf(route, ""), title), entries);
}

let turn = 0;

async function search() {
  const mine = ++turn, query = box.value.trim();
  history.replaceState(null, "", query ? "?q=" + encodeURIComponent(query) : location.pathname);
  listed.hidden = !!query;
  if (!query) return show(mine, [[], []], "");
  try {
    let terms = termsOf(query), places = await hitsOf(terms);
    const other = places.length ? "" : otherwise(query);
    if (other) {
      places = await hitsOf(termsOf(other));
      if (places.length) terms = termsOf(other);
    }
    const words = terms.flatMap(term => term.word ?? []).join(" ");
    const guides = prose && words ? await guidesWith(words) : [];
    const lists = await Promise.all([first(places, itemOf, STEP), first(guides, passageOf, GUIDES)]);
    const told = [counted(places.length, "exact") + (places.without && ` ${say("without", { words: places.without })}`)];
    if (prose && words) told.push(counted(guides.length, "guides", { words }));
    show(mine, lists, `${other && places.length ? say("read_as", { query: other }) : ""}${told.join(", ")}.`);
  } catch (error) {
    console.error(error);
    listed.hidden = false;
    show(mine, [[], []], say("failed"));
  }
}

/* The first entries of a list, and a button for the rest of them. */
async function first(entries, made, step) {
  const items = await Promise.all(entries.slice(0, step).map(made)), rest = entries.slice(step);
  if (!rest.length) return items;
  const button = make("button", say("more", { n: grouped(`${rest.length}`) }));
  button.type = "button";
  button.onclick = async () => {
    const mine = turn, next = await first(rest, made, step);
    if (mine !== turn) return;
    button.parentElement.replaceWith(...next);
    next[0].querySelector("a").focus();
  };
  return [...items, make("li", button)];
}

function listOf(id, title, items) {
  if (!items.length) return [];
  const list = make("ol", "", items, "list");
  list.id = id;
  return [make("h2", title), list];
}

function show(mine, [places, passages], told) {
  if (mine !== turn) return;
  hits.replaceChildren(...listOf("found", say("exact_matches"), places), ...listOf("texts", say("in_prose"), passages));
  count.textContent = told;
}

let later;
form.onsubmit = event => { event.preventDefault(); clearTimeout(later); search(); };
box.oninput = () => { clearTimeout(later); later = setTimeout(search, 150); };
box.onkeydown = event => {
  if (event.key !== "Escape") return;
  event.preventDefault();
  clearTimeout(later);
  box.value = "";
  search();
};
form.hidden = false;
box.value = new URLSearchParams(location.search).get("q") ?? "";
if (box.value) search();
})();
