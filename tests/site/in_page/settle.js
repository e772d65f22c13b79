// Wait until all that the page shows is there, and open what is folded.
async () => {
  await document.fonts.ready;
  window.dispatchEvent(new Event("beforeprint")); // maths.js sets all formulas, far ones too
  window.dispatchEvent(new Event("afterprint")); // and the theme is the reader's again
  while (document.querySelector("script[src*='maths.js']") && document.documentElement.dataset.maths !== "set")
    await new Promise((go) => setTimeout(go, 20));
  await window.MathJax?.startup?.promise;
  for (const image of document.images) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
  for (const fold of document.querySelectorAll("article details")) fold.open = true;
  window.dispatchEvent(new Event("resize"));
}
