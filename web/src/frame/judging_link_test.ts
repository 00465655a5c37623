import { describe, expect, it } from 'vitest';

import { kAsItWas, kNoChoice, kNoFiles, withChoice, type Judging } from '../model/judging.ts';
import { storeOf } from '../public/test_engine.ts';
import { JudgingLink } from './judging_link.ts';

const kOff: Judging = { choice: { ...kNoChoice, off: ['a'] }, files: kNoFiles };

// A core that responds when told to.
class Core {
  judging = kAsItWas;
  engineCount = 1;
  readonly asked: Judging[] = [];
  #answer: ((isDone: boolean) => void) | null = null;

  readonly judge = (wanted: Judging): Promise<boolean> => {
    this.asked.push(wanted);
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  };

  async answer(isDone: boolean): Promise<void> {
    const wanted = this.asked.at(-1);
    if (isDone && wanted !== undefined) this.judging = wanted;
    this.#answer?.(isDone);
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
}

function linked(hash: string, core = new Core()) {
  const told: string[] = [];
  const store = storeOf(hash, { summary: { engine: { name: 'e' } } });
  const link = new JudgingLink(store, core, core.judge, (text) => told.push(text));
  store.subscribe(() => link.update());
  return { store, core, link, told };
}

describe('JudgingLink', () => {
  it('asks for what a link says, once', async () => {
    const { core, link, told } = linked('#rules.off=a');
    expect(core.asked).toEqual([]);
    link.update();
    link.update();
    expect(core.asked).toEqual([kOff]);
    await core.answer(true);
    link.shown();
    expect(core.asked).toHaveLength(1);
    expect(told).toEqual(['judged again: 0 findings']);
  });

  it('puts what is asked for into the link, and asks for the last of several', async () => {
    const { store, core, link } = linked('');
    link.ask(kOff);
    expect(store.option('rules.off')).toBe('a');
    link.ask({ ...kOff, choice: { ...kNoChoice, off: ['a', 'b'] } });
    link.ask({ ...kOff, choice: { ...kNoChoice, off: ['a', 'b', 'c'] } });
    expect(core.asked).toHaveLength(1);
    await core.answer(true);
    expect(core.asked.map(({ choice }) => choice.off)).toEqual([['a'], ['a', 'b', 'c']]);
    await core.answer(true);
    expect(core.asked).toHaveLength(2);
  });

  it('goes back where it could not be done', async () => {
    const { store, core, link } = linked('#rules.off=nonsense');
    link.update();
    await core.answer(false);
    expect(store.option('rules.off')).toBeNull();
    expect(core.asked).toHaveLength(1);
  });

  it('follows files that were dropped', async () => {
    const { store, core, link } = linked('#work.device=A10');
    link.update();
    await core.answer(true);
    const devices = { name: 'mine.json', text: '{}' };
    core.judging = { choice: kNoChoice, files: { ...kNoFiles, devices } };
    link.shown();
    expect(store.option('work.device')).toBeNull();
    expect(core.asked).toHaveLength(1);
    // They stay with the next choice.
    link.update();
    store.setOption('rules.off', 'a');
    expect(core.asked.at(-1)?.files.devices).toBe(devices);
  });

  it('asks nothing of a core that has no engine', () => {
    const { core, link } = linked('#rules.off=a');
    core.engineCount = 0;
    link.update();
    expect(core.asked).toEqual([]);
  });

  it('leaves other options alone', () => {
    const { store, link } = linked('#findings.rule=x');
    link.ask(kOff);
    expect(store.state.options).toEqual(withChoice({ 'findings.rule': 'x' }, kOff.choice));
  });
});
