// What a search shows of a page: its prose, without code and furniture, formulas without TeX's commands.
Search.htmlToText = (html, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelectorAll("pre, script, style, .headerlink, .chapter-links, div.math").forEach((node) => node.remove());
  for (const formula of page.querySelectorAll("span.math"))
    formula.textContent = formula.textContent.replace(/\\\(|\\\)|\\[a-zA-Z]+|\\.|[{}]/g, "");
  const found = (anchor && page.querySelector(`article ${anchor}`)) || page.querySelector("article");
  return found ? found.textContent : "";
};

// A word of Hangul is found inside longer ones too: 어텐션 in 셀프어텐션, 행렬 in 회전행렬. One syllable
// would be inside too many; but 사이 by itself lost its 이 as a particle, and 사이를 in the index did not.
const findTerms = Search.performTermsSearch;
const korean = new Stemmer();
Search.performTermsSearch = (wanted, unwanted) => {
  for (const word of wanted) {
    if (!/^[가-힣]+$/.test(word)) continue;
    const fits = word.length > 1 ? (term) => term.includes(word) : (term) => term === word || korean.stemWord(term) === word;
    for (const list of [Search._index.terms, Search._index.titleterms]) {
      const files = Object.entries(list).filter(([term]) => fits(term)).flatMap(([, found]) => found);
      if (files.length) list[word] = [...new Set(files)];
    }
  }
  return findTerms(wanted, unwanted);
};
