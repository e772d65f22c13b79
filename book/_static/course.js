"use strict";
// What the furniture of a page does: theme, search, the two lists at the sides, copying, the keyboard.
{
  const root = document.documentElement;
  const find = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const words = JSON.parse(document.body.dataset.words);

  // Light, dark, or as the device: a button goes round.
  const device = matchMedia("(prefers-color-scheme: dark)");
  function dress(mode) {
    const theme = mode === "auto" ? (device.matches ? "dark" : "light") : mode;
    Object.assign(root.dataset, { mode, theme });
  }
  device.addEventListener("change", () => dress(root.dataset.mode));
  find(".theme-switch-button").addEventListener("click", () => {
    const modes = device.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
    const mode = modes[(modes.indexOf(root.dataset.mode) + 1) % 3];
    dress(mode);
    try { localStorage.setItem("mode", mode); } catch {} // denied: it holds for this page
  });

  // Paper is white, and shows what is folded.
  let folded = [];
  addEventListener("beforeprint", () => {
    root.dataset.theme = "light";
    folded = all(".bd-article details:not([open])");
    for (const fold of folded) fold.open = true;
  });
  addEventListener("afterprint", () => {
    dress(root.dataset.mode);
    for (const fold of folded) fold.open = false;
  });

  // The links to the search open a field instead, where one may type at once.
  const dialog = find(".search-dialog");
  function ask(event) {
    event.preventDefault();
    const field = find(".bd-search-container input") ?? dialog.querySelector("input");
    if (dialog.contains(field)) dialog.showModal();
    field.select();
  }
  for (const link of all("a.ask")) link.addEventListener("click", ask);
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") ask(event);
  });

  // The list of chapters and that of the page's sections: beside the text, or sliding in on a phone.
  for (const [which, side] of [["primary", find(".bd-sidebar-primary")], ["secondary", find(".bd-sidebar-secondary")]]) {
    const button = find(`.${which}-toggle`), box = find(`#pst-${which}-sidebar-checkbox`);
    if (!button || !side) continue;
    const show = (shown) => {
      box.checked = shown;
      // What slides in cannot take the focus before it has begun to.
      setTimeout(() => (shown ? side.querySelector("a") : button).focus({ preventScroll: true }), 100);
    };
    button.addEventListener("click", () => show(!box.checked));
    box.addEventListener("change", () => box.checked || button.focus());
    side.addEventListener("keydown", ({ key }) => key === "Escape" && show(false));
    side.addEventListener("click", ({ target }) => target.closest("a[href*='#']") && (box.checked = false));
  }
  const here = find(".bd-sidebar-primary .current.active");
  if (here) here.scrollIntoView({ block: "nearest" });

  // Mark the section that one reads in the list of sections.
  const entries = new Map(all(".bd-toc-nav a").map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const sections = all("article section[id]").filter(({ id }) => entries.has(id));
  function mark() {
    const reached = sections.filter((section) => section.getBoundingClientRect().top < 140);
    for (const link of entries.values()) link.classList.remove("active");
    entries.get(reached.at(-1)?.id)?.classList.add("active");
  }
  if (sections.length) {
    const watch = new IntersectionObserver(mark, { rootMargin: "-140px 0px 0px" });
    for (const section of sections) watch.observe(section.firstElementChild);
  }

  // A button to copy each piece of code; what is printed needs none.
  for (const pre of all(".bd-article div.highlight > pre")) {
    if (pre.closest(".output") || !navigator.clipboard) continue;
    const button = Object.assign(document.createElement("button"), { className: "copy", textContent: words.copy });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.textContent.trimEnd());
      button.textContent = words.copied;
      setTimeout(() => (button.textContent = words.copy), 2000);
    });
    pre.after(button);
  }

  // Tables and code wider than the page scroll by themselves; the keyboard must reach those that do.
  function makeReachable(box, wide, attributes = {}) {
    for (const [name, value] of Object.entries({ tabindex: "0", ...attributes })) {
      if (wide) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  }
  function findWide() {
    all(".pst-scrollable-table-container").forEach((box, i) =>
      makeReachable(box, box.scrollWidth > box.clientWidth, { role: "region", "aria-label": `${words.table} ${i + 1}` }));
    for (const pre of all(".bd-article pre")) makeReachable(pre, pre.scrollWidth > pre.clientWidth);
  }
  addEventListener("load", findWide);
  addEventListener("resize", findWide);
}
