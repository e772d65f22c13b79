// Formulas and tables wider than the page scroll by themselves; the keyboard must reach those that do.
const boxes = () => document.querySelectorAll(
  "mjx-container[display='true'], mjx-container.wide, .pst-scrollable-table-container");

function findWide() {
  for (const formula of document.querySelectorAll(".bd-article mjx-container:not([display='true'])")) {
    formula.classList.toggle("wide", formula.offsetWidth > formula.closest("p, li, td, th, section").clientWidth);
  }
  for (const box of boxes()) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

addEventListener("load", () => (window.MathJax?.startup?.promise ?? Promise.resolve()).then(findWide));
addEventListener("resize", findWide);
