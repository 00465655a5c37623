// The chosen step in the details panel: what it does, what came of it, and how to do it by hand.

import {
  commandBox,
  div,
  el,
  factsList,
  fixed,
  integer,
  isNumber,
  keyFigure,
  kMissing,
  panelHead,
  panelSection,
  plural,
  span,
  visible,
  type Child,
  type Fact,
  type OptimizeStep,
  type OptimizeTime,
} from '../../public/index.ts';
import { aimOf, type Aim } from './aim.ts';
import {
  changeText,
  intervalText,
  isKept,
  lossText,
  rangeText,
  stateText,
  whatText,
} from './record.ts';
import type { Shown } from './state.ts';

function figureText(aim: Aim, time: OptimizeTime): string | null {
  const figure = aim.figure(time);
  if (figure === null) return null;
  const range = rangeText(aim, time);
  const runs = plural(time.run_count, 'build');
  return `${aim.text(figure)} (${range === null ? '' : `95 %: ${range}, `}${runs})`;
}

function facts(aim: Aim, step: OptimizeStep): readonly Fact[] {
  const text = (value: string | null): string | null => (value === null ? null : visible(value));
  return [
    ['tried on', step.basis === null ? 'the model as it is' : visible(step.basis)],
    [`${aim.name} before`, figureText(aim, step.before)],
    ['with it', figureText(aim, step.after)],
    ['against float', text(lossText(step))],
    ['layers', isNumber(step.layer_count) ? integer(step.layer_count) : null],
    ['kind', visible(step.kind)],
    ['took', `${fixed(step.duration_s, 1)} s`],
  ];
}

export function stepPanel(shown: Shown): readonly Child[] | null {
  const { context, chosen: step } = shown;
  if (step === null) return null;
  const interval = intervalText(step);
  const change = changeText(step.change_ratio);
  // A step of several commands has a line for each.
  const commands = step.command?.split('\n').filter((line) => line !== '') ?? [];
  return [
    panelHead(
      [span('dim', `step · ${stateText(step)}`)],
      [],
      () => shown.choose(null),
      div('panel-name', visible(step.id)),
      change !== kMissing &&
        div(
          'panel-line figures',
          keyFigure(change.replace(/ %$/, ''), '%'),
          interval && span('soft', `95 % interval ${interval}`),
        ),
    ),
    panelSection(
      'What it does',
      null,
      el('p', {}, `${whatText(step)}.`),
      step.said === null ? null : el('p', { class: 'soft' }, visible(step.said)),
    ),
    !isKept(step) &&
      step.reason !== null &&
      panelSection('Why it was not kept', null, el('p', {}, visible(step.reason))),
    panelSection('Figures', null, factsList(facts(aimOf(shown.record), step))),
    commands.length > 0 &&
      panelSection(
        'The same by hand',
        null,
        ...commands.map((line) => commandBox(line, (text) => context.copy(text, 'command'))),
      ),
  ];
}
