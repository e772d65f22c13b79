// An explorable: a caption, controls, what they show, and one sentence that says what came out.

import { button } from "./controls.js";
import { html, words } from "./elements.js";

const RESET = { en: "Back to the start", ko: "처음으로" };

// Fill the place of this name, if the page has one. `build(say, language)` returns
// { controls, handles, views, update }: `update()` reads the controls, sets the views and returns
// the sentence. Handles are controls that already have a place, in one of the views.
export function mount(name, texts, build) {
  const place = document.querySelector(`[data-explorable="${name}"]:empty`);
  if (!place) return;
  const language = document.documentElement.lang;
  const say = texts[language];
  const { controls, handles = [], views, update } = build(say, language);
  const outcome = html("output", { class: "outcome", "aria-live": "polite" });
  const refresh = () => { outcome.textContent = update(); };
  const reset = button({ name: "reset", label: RESET[language], press: () => restore([...controls, ...handles]) });
  place.append(
    html("figcaption", {}, html("strong", {}, say.title), " ", ...words(say.hint)),
    html("div", { class: "controls" }, ...[...controls, reset].map(({ element }) => element)),
    html("div", { class: "views" }, ...views.map(({ element }) => element)),
    outcome,
  );
  place.addEventListener("input", refresh);
  refresh();
}

function restore(controls) {
  for (const control of controls) if ("start" in control) control.value = control.start;
}
