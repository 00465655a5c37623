// What is shown of a record, and the step that the reader chose; the link keeps it.

import type { Optimize, OptimizeStep, ViewContext } from '../../public/index.ts';

const kChosen = 'optimize.step';

export class Shown {
  readonly context: ViewContext;
  readonly record: Optimize;

  constructor(context: ViewContext, record: Optimize) {
    this.context = context;
    this.record = record;
  }

  // By its place: two steps can have one name.
  get chosen(): OptimizeStep | null {
    const place = this.context.store.option(kChosen);
    return place === null ? null : (this.record.steps[Number(place)] ?? null);
  }

  // A second click takes the choice back.
  choose(step: OptimizeStep | null): void {
    const place = step === null || this.chosen === step ? -1 : this.record.steps.indexOf(step);
    this.context.store.setOptions(
      { [kChosen]: place < 0 ? null : String(place) },
      { selected: null },
    );
  }
}
