// The first lines: how fast it was and is, what that costs in accuracy, and how far the limit is.

import {
  conclusionLine,
  figureStrip,
  integer,
  isNumber,
  joined,
  keyFigure,
  kMissing,
  linkButton,
  msText,
  percent,
  plural,
  sentenceList,
  speedOf,
  visible,
  type OptimizeTime,
  type StripFigure,
} from '../../public/index.ts';
import { div } from '../../public/index.ts';
import { aimOf, type Aim } from './aim.ts';
import { bestEngine, dbText, gainIntervalText, keptSteps, rangeText } from './record.ts';
import type { Shown } from './state.ts';

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export function optimizeHead(shown: Shown): readonly (HTMLElement | null)[] {
  const { record } = shown;
  const [headline = 'What was optimized is not recorded.', ...others] = record.sentences;
  const stopped = record.is_interrupted ? 'It was stopped before its end.' : null;
  const text = joined([...others.map((line) => `${capital(line)}.`), stopped], ' ');
  return [
    div('optimize-strip', figureStrip('Key figures', keyFigures(shown))),
    conclusionLine({ headline: `${headline}.`, text }),
    record.notes.length === 0 ? null : div('optimize-notes', sentenceList(record.notes)),
  ];
}

function endFigure(aim: Aim, label: string, time: OptimizeTime): StripFigure {
  const range = rangeText(aim, time);
  const builds = plural(time.run_count, 'build');
  const figure = aim.figure(time);
  const [, value = kMissing, unit = ''] = /^(\S+?)((?: |\/).*)?$/.exec(aim.text(figure)) ?? [];
  return {
    label,
    value: keyFigure(value, unit.trim()),
    sub: figure === null ? 'not measured' : joined([range && `95 %: ${range}`, builds], ', '),
  };
}

function keyFigures(shown: Shown): readonly StripFigure[] {
  const { record } = shown;
  const { change_ratio: change, steps } = record;
  const kept = keptSteps(record);
  const isProven = kept.length > 0 && isNumber(change);
  const aim = aimOf(record);
  const interval = gainIntervalText(aim, record);
  const tried = steps.filter(({ state }) => state !== 'not-tried');
  return [
    endFigure(aim, 'The model as it is', record.first),
    endFigure(aim, 'The best', record.best),
    {
      label: 'Gain',
      value: isProven ? keyFigure(...aim.gain(change)) : keyFigure(kMissing, ''),
      sub: isProven ? joined([interval && `95 %: ${interval}`], '') : 'nothing is proven better',
    },
    accuracyFigure(shown),
    {
      label: 'Steps',
      value: keyFigure(integer(kept.length), `of ${integer(tried.length)} kept`),
      sub: `tried in ${integer(record.duration_s)} s; budget ${integer(record.budget_s)} s`,
    },
    limitFigure(shown),
  ];
}

// Of the last kept step whose results were judged: those after it leave them as they are.
function accuracyFigure({ record }: Shown): StripFigure {
  const label = 'Against the float model';
  const goal = record.goal === 'same' ? 'the same results' : visible(record.goal);
  const judged = keptSteps(record).findLast((step) => step.is_equal || isNumber(step.sqnr_db));
  const samples = record.sample_count > 0 && plural(record.sample_count, 'sample');
  if (judged === undefined) {
    return { label, value: keyFigure('same', ''), sub: `goal: ${goal}; no step changed results` };
  }
  const top1 = judged.top1_ratio;
  const parts = [`goal: ${goal}`, isNumber(top1) && `top-1 ${percent(top1)} %`, samples];
  return {
    label,
    value: keyFigure(dbText(judged), judged.is_equal ? '' : 'dB'),
    sub: joined(parts, '; '),
  };
}

// Of the best engine, as its view of work has it.
function limitFigure({ context: { store } }: Shown): StripFigure {
  const label = 'Limit of the device';
  const engine = bestEngine(store.report);
  const unknown = (sub: string): StripFigure => ({ label, value: keyFigure(kMissing, ''), sub });
  if (engine === null) return unknown('the report lacks the best engine');
  const speed = speedOf(engine);
  if (speed === null) return unknown('not computed');
  const { reached, bound_ms: bound } = speed.facts.total;
  const place = store.report.engines.indexOf(engine);
  const open = (): void => store.patch({ view: 'work', engine: place });
  if (!isNumber(reached) || !isNumber(bound)) {
    return {
      ...unknown(''),
      sub: linkButton('not known: how to get it', 'Which limits the report lacks', open),
    };
  }
  const words = `layers could take ${msText(bound)} ms`;
  const help = 'How near each layer of the best comes to it';
  return {
    label,
    value: keyFigure(percent(reached), '% reached'),
    sub: linkButton(words, help, open),
  };
}
