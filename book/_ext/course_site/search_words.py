"""What the search takes for a word, in both languages, the same in Python and in JavaScript.

Sphinx has no Korean. A Korean noun is followed by particles without a space (쿼리는, 토큰에서도),
and compounds are written now with a space and now without (셀프 어텐션, 셀프어텐션). So a word
of Hangul gives up its particles, in the index and in the query alike, and what is left is looked
for inside longer words too (search.js). English words are stemmed as ever. Both books use this:
English terms stand in the Korean one, and Korean terms in the English glossary.
"""

import json
import re

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.search.en import SearchEnglish

NAME = "course"

# What may follow a noun: particles, forms of 이다 (to be), and the few that come after these.
PARTICLES_IN_LINES = """
은 는 이 가 을 를 의 에 에서 에게 에게서 께 께서 한테 한테서 으로 로 으로서 로서 으로써 로써
와 과 하고 이랑 랑 도 만 까지 부터 보다 처럼 같이 만큼 마다 조차 마저 밖에 뿐 대로
이나 나 이든 든 이야 야 이다 다 이고 고 이며 며 이면 면 인 일 이라 라 이라는 라는 이란 란
이라고 라고 이라면 라면 이므로 므로 이지만 지만 이지 지 이었다 였다 이었던 였던 인데 인지
인가 일까 이자 자 이니 니 이라서 라서 이어서 여서 에는 에도 에만 에서는 에서도 에서만 에서의
에게는 에게도 으로는 로는 으로도 로도 으로만 로만 으로의 로의 와는 과는 와도 과도 와의 과의
까지는 까지도 까지만 까지의 부터는 부터의 보다는 보다도 처럼은 만은 만이 만을 만의 만으로
들 들은 들이 들을 들의 들에 들과 들로 들도
"""
PARTICLES = PARTICLES_IN_LINES.split()
LONGEST_FIRST = sorted(PARTICLES, key=lambda particle: (-len(particle), particle))
WORD = re.compile(r"[가-힣]+|[^\W가-힣]+")
ENDING = re.compile(rf"(?<=.)(?:{'|'.join(LONGEST_FIRST)})$")
HANGUL = re.compile(r"[가-힣]")

STEMMER = """
const particles = %(particles)s;
const ending = new RegExp(`(?<=.)(?:${particles.join("|")})$`, "u");
const hangul = /[가-힣]/u;
const English = Stemmer;
Stemmer = function () {
  const english = new English();
  this.stemWord = (word) => (hangul.test(word) ? word.replace(ending, "") : english.stemWord(word));
};
"""

# A query that no term contains may be two words that the text writes apart.
SPLITTER = """
const isKnown = (word) => word in Search._index.terms || word in Search._index.titleterms;
const isInside = (word) => [Search._index.terms, Search._index.titleterms]
  .some((terms) => Object.keys(terms).some((term) => term.includes(word)));
const apart = (word) => {
  const stem = new Stemmer().stemWord(word);
  if (!hangul.test(word) || !Search.hasIndex() || isInside(stem)) return [word];
  for (let cut = 1; cut < stem.length; cut++) {
    const parts = [stem.slice(0, cut), stem.slice(cut)];
    if (parts.every(isKnown)) return parts;
  }
  return [word];
};
var splitQuery = (query) =>
  (query.normalize("NFC").match(/[가-힣]+|(?:(?![가-힣])[\\p{Letter}\\p{Number}_])+/gu) ?? [])
    .filter((word) => !particles.includes(word))
    .flatMap(apart);
"""


class SearchCourse(SearchEnglish):
    """English with its stems, Korean without its particles."""

    lang = NAME
    language_name = "English and Korean"
    js_stemmer_code = SearchEnglish.js_stemmer_code + STEMMER % {
        "particles": json.dumps(LONGEST_FIRST, ensure_ascii=False)
    }
    js_splitter_code = SPLITTER

    def split(self, input: str) -> list[str]:
        """The words of a text; in softmax를 there are two, of two scripts."""
        return WORD.findall(input)

    def stem(self, word: str) -> str:
        """What is put into the index for a word."""
        return ENDING.sub("", word) if HANGUL.match(word) else super().stem(word)

    def word_filter(self, word: str) -> bool:
        """Whether a word can be looked for: a particle by itself can not."""
        return word not in PARTICLES and super().word_filter(word)


def set_language(app: Sphinx, config: Config) -> None:
    """Let the search of this book use these words."""
    app.add_search_language(SearchCourse)
    config.html_search_language = NAME
