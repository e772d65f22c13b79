// What is wrong with the page as it stands: a list of sentences, empty for a good page.
async () => {
  const faults = [];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const article = document.querySelector("article, .bd-search-container") ?? document.querySelector("main");

  for (const error of all("mjx-merror")) faults.push(`TeX error: ${error.dataset.mjxError}`);
  for (const math of all(":is(h1, h2, h3, h4, h5, h6, nav) :is(mjx-container, .math)"))
    faults.push(`mathematics in a heading or in the navigation: ${math.textContent}`);

  // A phone scrolls a long formula; a wide screen shows it whole.
  for (const formula of all("mjx-container[display=true]"))
    if (innerWidth >= 1200 && formula.scrollWidth > formula.clientWidth + 1)
      faults.push(`a formula is ${formula.scrollWidth} wide, its place ${formula.clientWidth}`);
  // Within a sentence it must fit a phone: end it before its equals sign, and begin the next there.
  for (const formula of all("article mjx-container:not([display=true])")) {
    const wide = formula.querySelector("mjx-math").offsetWidth;
    const line = formula.closest("p, li, dd, td, th, summary, article").clientWidth;
    if (wide > line) faults.push(`a formula within a sentence is ${wide} wide, its line ${line}`);
  }

  // TeX or Markdown that nobody has turned into anything. Code may say what it likes.
  const copy = article.cloneNode(true);
  copy.querySelectorAll("pre, code, script, style, mjx-container").forEach((node) => node.remove());
  const raw = copy.textContent.match(/\\[a-zA-Z(\[]+|\*\*|\$[^\s$]+/g);
  if (raw) faults.push(`raw TeX or Markdown: ${raw.join(" ")}`);

  for (const image of all("article img")) {
    const alt = (image.getAttribute("alt") ?? "").trim();
    if (/^\S*\.\w+$/.test(alt) || alt.split(/\s+/).length < 4)
      faults.push(`image without a description (${image.getAttribute("src")}): "${alt}"`);
  }
  for (const drawing of all("article svg"))
    if (!drawing.closest("button, a, mjx-container, [aria-hidden=true]")
        && !(drawing.getAttribute("role") === "img" && drawing.querySelector("title")))
      faults.push("drawing without a title");

  for (const box of [document.documentElement, document.querySelector(".bd-main"), article])
    if (box && box.scrollWidth > box.clientWidth)
      faults.push(`scrolls sideways: ${box.tagName} is ${box.scrollWidth} wide, not ${box.clientWidth}`);
  return faults;
}
