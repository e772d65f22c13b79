// Formulas and tables wider than the page scroll by themselves; the keyboard must reach those that do.

const TABLE = { en: "Table", ko: "표" }[document.documentElement.lang];

function makeReachable(box, wide, attributes) {
  for (const [name, value] of Object.entries({ tabindex: "0", ...attributes })) {
    if (wide) box.setAttribute(name, value);
    else box.removeAttribute(name);
  }
}

function findWide() {
  for (const formula of document.querySelectorAll(".bd-article mjx-container")) {
    const line = formula.closest("p, li, dd, td, th, summary, div.math, .bd-article");
    const wide = formula.querySelector("mjx-math").offsetWidth > line.clientWidth;
    formula.classList.toggle("wide", wide);
    makeReachable(formula, wide, {});
  }
  document.querySelectorAll(".pst-scrollable-table-container").forEach((box, i) =>
    makeReachable(box, box.scrollWidth > box.clientWidth, { role: "region", "aria-label": `${TABLE} ${i + 1}` }));
}

addEventListener("load", () => (window.MathJax?.startup?.promise ?? Promise.resolve()).then(findWide));
addEventListener("resize", findWide);
