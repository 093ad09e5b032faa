// The preview's client: brings an open page up to date in place, and shows what went wrong.
"use strict";
(() => {
  const own = document.currentScript;
  const follow = own.dataset.follow === "yes";
  let build = own.dataset.build;
  const renewed = new Map(); // path of a file that changed → the build that changed it

  const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
  // What tells a node among its siblings: its id, else all it holds. Whether a reader has opened it does not count.
  const sign = (node) => {
    if (!isElement(node)) return `${node.nodeType} ${node.nodeValue}`;
    if (node.id) return `#${node.nodeName} ${node.id}`;
    return node.outerHTML.replace(/(<details\b[^>]*?) open=""/g, "$1");
  };

  const attributes = (from, to) => {
    for (const { name } of [...from.attributes]) {
      const isReaders = name === "open" && from.nodeName === "DETAILS";
      if (!to.hasAttribute(name) && !isReaders) from.removeAttribute(name);
    }
    for (const { name, value } of to.attributes) {
      if (from.getAttribute(name) !== value) from.setAttribute(name, value);
    }
  };

  // The longest run of signs that two lists share in order, as pairs of places.
  const shared = (a, b) => {
    let start = 0;
    let [endA, endB] = [a.length, b.length];
    while (start < endA && start < endB && a[start] === b[start]) start += 1;
    while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) { endA -= 1; endB -= 1; }
    const found = Array.from({ length: start }, (_, n) => [n, n]);
    const [rows, columns] = [endA - start, endB - start];
    if (rows * columns < 4_000_000) {
      const best = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
      for (let i = rows - 1; i >= 0; i -= 1) {
        for (let j = columns - 1; j >= 0; j -= 1) {
          const isSame = a[start + i] === b[start + j];
          best[i][j] = isSame ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
        }
      }
      for (let i = 0, j = 0; i < rows && j < columns;) {
        if (a[start + i] === b[start + j]) found.push([start + i++, start + j++]);
        else if (best[i + 1][j] >= best[i][j + 1]) i += 1;
        else j += 1;
      }
    }
    for (let n = 0; n < a.length - endA; n += 1) found.push([endA + n, endB + n]);
    return found;
  };

  // Make `from` what `to` is, and leave every node alone that is so already: focus and scroll stay with it.
  const morph = (from, to) => {
    if (!isElement(from)) {
      if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
      return;
    }
    attributes(from, to);
    const [old, wanted] = [[...from.childNodes], [...to.childNodes]];
    const fits = (node, next) => node.nodeName === next.nodeName && !node.id && !next.id;
    let [i, j] = [0, 0];
    for (const [x, y] of [...shared(old.map(sign), wanted.map(sign)), [old.length, wanted.length]]) {
      // Between two nodes that stay, one of the same kind is changed in place; the others go or come.
      for (; j < y; j += 1) {
        const fit = old.findIndex((node, n) => n >= i && n < x && fits(node, wanted[j]));
        if (fit < 0) {
          from.insertBefore(document.importNode(wanted[j], true), old[i] ?? null);
          continue;
        }
        while (i < fit) old[i++].remove();
        morph(old[i++], wanted[j]);
      }
      while (i < x) old[i++].remove();
      if (x < old.length) morph(old[i++], wanted[j++]);
    }
  };

  // The new style is in force before the old one goes.
  const restyle = (page) => {
    const before = [...document.querySelectorAll('head link[rel="stylesheet"]')];
    const after = [...page.querySelectorAll('head link[rel="stylesheet"]')].map((l) => l.getAttribute("href"));
    if (before.map((l) => l.getAttribute("href")).join("\n") === after.join("\n")) return;
    const loaded = after.map((href) => new Promise((done) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      link.onload = link.onerror = done;
      document.head.append(link);
    }));
    Promise.all(loaded).then(() => before.forEach((link) => link.remove()));
  };

  const renewImages = () => {
    const fresh = (address) => {
      const url = new URL(address, location.href);
      const number = renewed.get(url.pathname);
      return number === undefined ? null : `${url.pathname}?build=${number}`;
    };
    for (const image of document.querySelectorAll("img[src]")) {
      const address = fresh(image.getAttribute("src"));
      if (address) image.setAttribute("src", address);
    }
    for (const source of document.querySelectorAll("source[srcset]")) {
      const address = fresh(source.getAttribute("srcset"));
      if (address) source.setAttribute("srcset", address);
    }
  };

  const update = async () => {
    const answer = await fetch(location.pathname, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (page.querySelector(`script[src]:not([src="${own.getAttribute("src")}"])`)) {
      location.reload(); // A script of the page's own has its hands in what is shown.
      return;
    }
    const [x, y] = [scrollX, scrollY];
    document.title = page.title;
    attributes(document.documentElement, page.documentElement);
    restyle(page);
    morph(document.body, page.body);
    renewImages();
    scrollTo({ left: x, top: y, behavior: "instant" });
    await mark();
  };

  // The overlay and the strip live in a tree of their own: no style of the page reaches them.
  const host = document.createElement("pinpress-preview");
  const root = host.attachShadow({ mode: "open" });
  root.innerHTML = `<link rel="stylesheet" href="/.preview/client.css">
    <div class="strip" role="status" hidden></div>
    <div class="overlay" role="alert" hidden><h2></h2><ol></ol><p>The page is that of the last good save. The next good save removes this.</p></div>`;
  const [strip, overlay] = [root.querySelector(".strip"), root.querySelector(".overlay")];
  const element = (name, text, kind) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const show = (problems) => {
    overlay.hidden = problems.length === 0;
    overlay.querySelector("h2").textContent = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    overlay.querySelector("ol").replaceChildren(...problems.map((problem) => {
      const item = document.createElement("li");
      const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}:${problem.column}`;
      item.append(element("b", place), element("code", problem.code), element("p", problem.message));
      if (problem.excerpt) item.append(element("pre", problem.excerpt));
      item.append(element("p", [problem.pointer, problem.remedy].filter(Boolean).join(" · "), "remedy"));
      return item;
    }));
  };

  const folded = (title, lines) => {
    const made = document.createElement("details");
    const list = document.createElement("ul");
    list.append(...lines.map((line) => element("li", line)));
    made.append(element("summary", title), list);
    return made;
  };

  const mark = async () => {
    const answer = await fetch(`/.preview/marks?page=${encodeURIComponent(location.pathname)}`, { cache: "no-store" });
    const marks = await answer.json();
    const parts = [];
    if (marks.draft) parts.push(element("b", "Draft", "draft"));
    if (marks.heavy.length) parts.push(folded(`Too heavy to be published: ${marks.heavy.length}`, marks.heavy));
    if (marks.open.length) {
      parts.push(folded(`Open claims: ${marks.open.length}`, marks.open.map((o) => `${o.written}: ${o.sentence}`)));
    }
    if (marks.findings.length) {
      const accepted = marks.findings.filter((f) => f.accepted).length;
      const lines = marks.findings.map((f) => `${f.accepted ? "accepted, " : ""}${f.code}: ${f.message} ${f.pointer}`);
      parts.push(folded(`Findings: ${marks.findings.length}${accepted ? `, accepted: ${accepted}` : ""}`, lines));
    }
    const open = [...strip.querySelectorAll("details")].map((d) => d.open && d.firstChild.textContent.split(":")[0]);
    for (const part of parts) part.open = open.includes((part.firstChild?.textContent ?? "").split(":")[0]);
    strip.replaceChildren(...parts);
    strip.hidden = parts.length === 0;
    document.documentElement.style.paddingBottom = `${strip.offsetHeight}px`; // the strip hides no end of a page
    for (const link of document.querySelectorAll("main a[href]")) {
      if (marks.drafts.includes(link.pathname) && !link.querySelector(".badge")) {
        link.append(" ", element("span", "Draft", "badge warn"));
      }
    }
  };

  const start = () => {
    document.documentElement.append(host);
    mark();
    const news = new EventSource("/.preview/events");
    let turn = Promise.resolve();
    const take = async (told) => {
      for (const path of told.files) renewed.set(path, told.build);
      show(told.problems);
      if (told.build !== build) {
        build = told.build;
        if (follow && told.guides.length && !told.guides.includes(location.pathname)) {
          location.assign(told.guides[0]);
          return;
        }
        await update();
      } else {
        await mark(); // What the pages weigh is known last.
      }
      document.documentElement.dataset.previewBuild = build;
    };
    // One after the other: an older answer never overwrites a newer one.
    news.onmessage = (event) => { turn = turn.then(() => take(JSON.parse(event.data))); };
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
