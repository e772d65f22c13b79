"use strict";
// Formulas, set a few at a time: MathJax comes when the page stands, what one sees is set first, and
// no moment is so long that the page would not answer.
{
  const LONGEST = 25; // milliseconds at a stretch
  const formulas = new Set(document.querySelectorAll(".bd-article .math"));
  const near = new Set();
  const pause = () => new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go, { timeout: 200 }));

  const watch = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) isIntersecting ? near.add(target) : near.delete(target);
  }, { rootMargin: "50% 0px" });
  for (const formula of formulas) watch.observe(formula);

  // A formula wider than its line scrolls by itself, and the keyboard reaches it.
  function fit(formula) {
    for (const set of formula.querySelectorAll("mjx-container")) {
      const line = formula.closest("p, li, dd, td, th, summary, div.math, .bd-article");
      const wide = set.querySelector("mjx-math").offsetWidth > line.clientWidth;
      set.classList.toggle("wide", wide);
      wide ? set.setAttribute("tabindex", "0") : set.removeAttribute("tabindex");
    }
  }

  async function set(chosen) {
    for (const formula of chosen) {
      formulas.delete(formula);
      near.delete(formula);
      watch.unobserve(formula);
    }
    await MathJax.typesetPromise(chosen);
    chosen.forEach(fit);
  }

  async function setAll() {
    for (let count = 2; formulas.size; ) {
      const first = near.size ? near : formulas;
      const begun = performance.now();
      await set([...first].slice(0, count));
      count = Math.max(1, Math.min(40, Math.round((count * LONGEST) / (performance.now() - begun))));
      await pause();
    }
    document.documentElement.dataset.maths = "set";
  }

  MathJax.startup = {
    typeset: false,
    ready() {
      MathJax.startup.defaultReady();
      setAll();
    },
  };
  const { src } = document.currentScript;
  addEventListener("load", () => {
    document.head.append(Object.assign(document.createElement("script"), {
      src: new URL("mathjax/tex-mml-chtml.js", src).href,
    }));
  });
  addEventListener("beforeprint", () => window.MathJax.typeset?.([...formulas]));
  addEventListener("resize", () => document.querySelectorAll(".bd-article .math").forEach(fit));
}
