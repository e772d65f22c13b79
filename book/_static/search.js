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
function complete(list, word) {
  // constructor and __proto__ are names that every object has.
  if (word in Object.prototype && !Object.hasOwn(list, word)) Object.defineProperty(list, word, { value: [] });
  if (!/^[가-힣]+$/.test(word)) return;
  const fits = word.length > 1 ? (term) => term.includes(word) : (term) => term === word || korean.stemWord(term) === word;
  const files = Object.entries(list).filter(([term]) => fits(term)).flatMap(([, found]) => found);
  if (files.length) list[word] = [...new Set(files)];
}

// Every word has to be on the page: Sphinx lets words of two letters be missing, and 쿼리 is as good as any.
// But vs, which no page has, is passed over.
Search.performTermsSearch = (wanted, unwanted) => {
  const found = [];
  for (const word of wanted) {
    for (const list of [Search._index.terms, Search._index.titleterms]) complete(list, word);
    const results = findTerms(new Set([word]), unwanted);
    if (results.length || !/^[a-z]{1,2}$/.test(word)) found.push(new Map(results.map((result) => [result[0], result])));
  }
  const best = (page) => found.map((pages) => pages.get(page)).reduce((one, other) => (one[4] < other[4] ? other : one));
  return [...(found[0]?.keys() ?? [])].filter((page) => found.every((pages) => pages.has(page))).map(best);
};
