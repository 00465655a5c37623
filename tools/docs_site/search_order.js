// How results of a search are ordered. Sphinx asks for this object by its name; the numbers are its
// own but for score(): pages that say how come before those that say why it was decided so, and before the fields of documents.
var Scorer = {
  score: ([page, , , , score]) => {
    if (page.startsWith("reference/documents/")) return score - 8;
    const worth = { tutorial: 4, "how-to": 6, reference: 3, design: -6, project: -8 };
    return score + (worth[page.split("/")[0]] ?? 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
