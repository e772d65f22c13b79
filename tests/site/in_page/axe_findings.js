// What axe finds, by all of its rules but AAA contrast, which no link in colour reaches on white.
// In the dark only the colours are new.
async (theme) => {
  // One token of each kind in the code is enough; a chapter has thousands, and axe weighs each.
  const seen = new Set();
  for (const token of document.querySelectorAll("pre span[class]"))
    if (seen.has(token.className)) token.replaceWith(...token.childNodes);
    else seen.add(token.className);

  const colours = theme === "dark" ? ["cat.color"] : undefined;
  const rules = axe.getRules(colours).map(({ ruleId }) => ruleId)
    .filter((id) => id !== "color-contrast-enhanced");
  const { violations } = await axe.run(document, {
    resultTypes: ["violations"],
    runOnly: { type: "rule", values: rules },
  });
  // axe does not read MathML; who listens to the page does.
  const formula = (id, target) =>
    id === "empty-table-header" && document.querySelector(target).querySelector("math");
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.filter(({ target }) => !formula(id, target))
      .map(({ target, html, failureSummary }) =>
        `axe ${id} (${impact}) at ${target}: ${html.slice(0, 200)}\n${failureSummary}`));
}
