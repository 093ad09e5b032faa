/* The filter of the results pages. Without it every page is complete. Rows and entries carry data-find; a data-group
   is hidden with the last of its own. All words must be found; one that starts with a digit, at the start of a number. */
(() => {
  "use strict";
  const form = document.querySelector("form.filter");
  if (!form) return;
  const box = form.querySelector("input");
  const told = form.querySelector("[role=status]");
  const texts = JSON.parse(form.dataset.texts);
  const number = form.dataset.decimal === "," ? text => text.replace(/(?<=\d),(?=\d)/g, ".")
    : text => text.replace(/(\d),(?=\d{3})/g, "$1");
  const plain = text => number(text.normalize("NFC").toLowerCase().replace(/(?<=\d)\u00a0(?=\d{3})/g, ""))
    .replace(/\u2212/g, "-");
  const groups = [...document.querySelectorAll("[data-group]")].map(node => ({
    node,
    items: [...node.querySelectorAll("[data-find]")],
    shared: [...node.querySelectorAll("h2, caption, details, thead, .from:not(.differs)")].map(e => e.textContent).join(" "),
  }));
  const items = groups.flatMap(group => group.items.map(node => (
    { node, group, text: plain([group.shared, node.textContent, node.dataset.find].join(" ")) })));
  const finder = word => {
    if (!/^\d/.test(word)) return text => text.includes(word);
    const start = new RegExp("(?<![\\d.])" + word.replace(/[^\p{L}\p{N}]/gu, "\\$&"), "u");
    return text => start.test(text);
  };
  const show = () => {
    const words = plain(box.value).split(/\s+/).filter(Boolean).map(finder);
    let found = 0;
    for (const item of items) {
      const hit = words.every(has => has(item.text));
      item.node.hidden = !hit;
      found += hit;
    }
    for (const group of groups) group.node.hidden = group.items.every(node => node.hidden);
    for (const line of document.querySelectorAll(".differs")) line.hidden = words.length > 0;
    const text = texts[`${form.dataset.noun}.${items.length === 1 ? "one" : "other"}`];
    told.textContent = words.length ? text.replace("{found}", found).replace("{all}", items.length) : "";
  };
  const keep = () => {
    const url = new URL(location.href);
    if (box.value.trim()) url.searchParams.set("q", box.value.trim());
    else url.searchParams.delete("q");
    try { history.replaceState(null, "", url); } catch { /* A page opened from disk may not change its address. */ }
  };
  const read = () => { box.value = new URLSearchParams(location.search).get("q") || ""; show(); };
  box.addEventListener("input", () => { show(); keep(); });
  box.addEventListener("keydown", event => {
    if (event.key === "Escape") { event.preventDefault(); box.value = ""; show(); keep(); }
  });
  form.addEventListener("submit", event => { event.preventDefault(); });
  addEventListener("popstate", read);
  form.hidden = false;
  read();
})();
