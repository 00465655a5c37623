// How results of a search are ordered. Sphinx asks for this object by its name; the numbers are its
// own but for score(): pages that say how come before those that say why it was decided so, and
// before the fields of documents and structures.
var Scorer = {
  score: ([page, , , , score]) => {
    const worth = [
      [/^tutorial/, 4],
      [/^how-to/, 6],
      // What a word means, or a column or rule of that name.
      [/^reference.(schema|rules|numbers|glossary)$/, 8],
      [/^reference.(documents|cpp)/, -8],
      [/^reference/, 3],
      [/^(design|project)/, -6],
    ];
    return score + (worth.find(([pages]) => pages.test(page))?.[1] ?? 0);
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
