// Which rules to follow first: those whose fixes save most together. A layer's time is saved once,
// whichever rule asks for it, so a rule that only repeats what another one asks for is folded under
// that one.

import { rowOfFinding, type Engine, type EngineFinding } from '../../public/index.ts';

const kMaxActions = 3;
// An action has to add this much to those before it, as a part of what all of them save.
const kMinGain = 0.03;
// Of rules that save nearly as much, one that speaks of a cause goes first.
const kNearly = 0.75;
// A rule says nothing new where so much of it is among what an action saves.
const kCovered = 0.8;

// Of each layer what is saved of it, ms.
type Savings = ReadonlyMap<number, number>;

export interface Action {
  readonly rule: string;
  // Beyond the actions before it, ms.
  readonly addsMs: number;
  // Rules that ask for the same layers.
  readonly symptoms: readonly string[];
}

export interface RuleSavings {
  readonly rule: string;
  // Its findings are about conversions themselves, and not about the layers that need them.
  readonly isSymptom: boolean;
  // All its findings are notes: of two that save nearly the same, the warning comes first.
  readonly isNote: boolean;
  readonly savings: Savings;
}

function together(parts: Iterable<readonly [layer: number, ms: number]>): Savings {
  const most = new Map<number, number>();
  for (const [layer, ms] of parts) most.set(layer, Math.max(ms, most.get(layer) ?? 0));
  return most;
}

export function sumOf(lists: readonly Savings[]): number {
  const all = together(lists.flatMap((savings) => [...savings]));
  return [...all.values()].reduce((sum, ms) => sum + ms, 0);
}

// What one saves beyond another.
function beyond(savings: Savings, others: Savings): number {
  let sum = 0;
  for (const [layer, ms] of savings) sum += Math.max(0, ms - (others.get(layer) ?? 0));
  return sum;
}

// Whether one says little that the other doesn't.
function isCovered(rule: RuleSavings, by: RuleSavings): boolean {
  const own = sumOf([rule.savings]);
  return own > 0 && beyond(rule.savings, by.savings) <= own * (1 - kCovered) + 1e-12;
}

// The greatest first, then always the one that adds most to those before.
export function actionsOf(rules: readonly RuleSavings[]): readonly Action[] {
  const all = sumOf(rules.map(({ savings }) => savings));
  let left = [...rules];
  let saved: Savings = new Map();
  const taken: { readonly rule: RuleSavings; readonly addsMs: number }[] = [];
  while (taken.length < kMaxActions && left.length > 0) {
    const gains = new Map(left.map((rule) => [rule, beyond(rule.savings, saved)]));
    const gainOf = (rule: RuleSavings): number => gains.get(rule) ?? 0;
    const most = Math.max(0, ...gains.values());
    const isCause = (rule: RuleSavings): boolean =>
      !rule.isSymptom && gainOf(rule) >= most * kNearly;
    const [rule] = [...left].sort(
      (a, b) =>
        Number(isCause(b)) - Number(isCause(a)) ||
        (isCause(a) ? Number(a.isNote) - Number(b.isNote) : 0) ||
        gainOf(b) - gainOf(a),
    );
    if (rule === undefined || !(gainOf(rule) > all * kMinGain)) break;
    taken.push({ rule, addsMs: gainOf(rule) });
    saved = together([...saved, ...rule.savings]);
    left = left.filter((other) => other !== rule && !isCovered(other, rule));
  }
  const rest = rules.filter((rule) => taken.every((action) => action.rule !== rule));
  return taken.map(({ rule, addsMs }) => ({
    rule: rule.rule,
    addsMs,
    symptoms: rest.filter((other) => isCovered(other, rule)).map((other) => other.rule),
  }));
}

export function ruleSavings(
  engine: Engine,
  rule: string,
  findings: readonly EngineFinding[],
): RuleSavings {
  const rows = findings.flatMap((finding) => rowOfFinding(engine, finding) ?? []);
  const parts = findings.flatMap(({ savings }) =>
    savings.flatMap(({ layer_id: layer, ms }) => (ms === null ? [] : [[layer, ms] as const])),
  );
  return {
    rule,
    isSymptom: rows.filter((row) => engine.isReformat(row)).length > rows.length / 2,
    isNote: findings.every(({ severity }) => severity === 'info'),
    savings: together(parts),
  };
}
