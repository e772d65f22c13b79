// What a search shows of a page: its prose, without code and furniture, formulas without TeX's commands.
Search.htmlToText = (html, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelectorAll("pre, script, style, .headerlink, .chapter-links, div.math").forEach((node) => node.remove());
  for (const formula of page.querySelectorAll("span.math"))
    formula.textContent = formula.textContent.replace(/\\\(|\\\)|\\[a-zA-Z]+|\\.|[{}]/g, "");
  const found = (anchor && page.querySelector(`article ${anchor}`)) || page.querySelector("article");
  return found ? found.textContent : "";
};
