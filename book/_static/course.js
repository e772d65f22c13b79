// Formulas and tables wider than the page scroll by themselves; the keyboard must reach those that do.

const TABLE = { en: "Table", ko: "표" }[document.documentElement.lang];

function makeReachable(box, label) {
  const wide = box.scrollWidth > box.clientWidth;
  const attributes = label ? { tabindex: "0", role: "region", "aria-label": label } : { tabindex: "0" };
  for (const [name, value] of Object.entries(attributes)) {
    if (wide) box.setAttribute(name, value);
    else box.removeAttribute(name);
  }
}

function findWide() {
  for (const formula of document.querySelectorAll(".bd-article mjx-container:not([display])")) {
    const line = formula.closest("p, li, td, th, summary");
    formula.classList.toggle("wide", line !== null && formula.offsetWidth > line.clientWidth);
  }
  document.querySelectorAll(".bd-article mjx-container:is([display], .wide)").forEach((box) => makeReachable(box));
  document.querySelectorAll(".pst-scrollable-table-container").forEach((box, i) => makeReachable(box, `${TABLE} ${i + 1}`));
}

addEventListener("load", () => (window.MathJax?.startup?.promise ?? Promise.resolve()).then(findWide));
addEventListener("resize", findWide);
