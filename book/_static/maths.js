"use strict";
// Formulas, set a few at a time: MathJax comes when the page stands, what one sees is set first, the
// rest after a while of rest, and no moment is so long that the page would not answer.
{
  const LONGEST = 25; // milliseconds at a stretch
  const REST = 4000; // milliseconds before what is far away is set
  const formulas = new Set(document.querySelectorAll(".bd-article .math"));
  const near = new Set();
  const pause = () => new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go, { timeout: 200 }));

  const watch = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) isIntersecting ? near.add(target) : near.delete(target);
    work();
  }, { rootMargin: "50% 0px" });
  for (const formula of formulas) watch.observe(formula);

  // A formula wider than its line scrolls by itself, and the keyboard reaches it. One that is too
  // wide with the comma or the particle behind it lets them go.
  function fit(formula) {
    const line = formula.closest("p, li, dd, td, th, summary, div.math, .bd-article");
    const held = formula.closest(".unbroken") ?? formula.closest(".keep");
    if (held) {
      held.classList.remove("loose");
      held.classList.toggle("loose", held.offsetWidth > line.clientWidth);
    }
    for (const set of formula.querySelectorAll("mjx-container")) {
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

  // Set what is near, and when `everything` is wanted the rest; again when the reader scrolls on.
  let ready = false, everything = false, atWork = false;
  const wanted = () => (near.size || !everything ? near : formulas);
  async function work() {
    if (!ready || atWork) return;
    atWork = true;
    for (let count = 2; wanted().size; ) {
      const begun = performance.now();
      await set([...wanted()].slice(0, count));
      count = Math.max(1, Math.min(40, Math.round((count * LONGEST) / (performance.now() - begun))));
      await pause();
    }
    atWork = false;
    if (!formulas.size) document.documentElement.dataset.maths = "set";
  }
  function workOnAll() {
    everything = true;
    work();
  }

  MathJax.startup = {
    typeset: false,
    ready() {
      MathJax.startup.defaultReady();
      ready = true;
      work();
      setTimeout(workOnAll, REST);
    },
  };
  const { src } = document.currentScript;
  const fetchMathJax = () => document.head.append(Object.assign(document.createElement("script"), {
    src: new URL("mathjax/startup.js", src).href,
  }));
  addEventListener("load", () => requestAnimationFrame(() => setTimeout(fetchMathJax))); // once painted
  addEventListener("beforeprint", workOnAll);
  addEventListener("resize", () => document.querySelectorAll(".bd-article .math").forEach(fit));
}
