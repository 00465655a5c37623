// Widths of the columns of the aligned table: A and B always have all columns, the others share the
// rest.

// In px; 0: left out.
export interface ColumnWidths {
  readonly name: number;
  readonly engine: number;
  readonly others: 'full' | 'times' | 'hidden';
  readonly other: number;
  readonly delta: number;
  readonly bar: number;
  readonly ratio: number;
  // SQNR after quantization: of A, of B, and their difference.
  readonly loss: number;
  readonly lossDelta: number;
  readonly changes: number;
}

const kTime = 52;
export const kEngineBar = 44;
const kPrecision = 74;
const kFull = kTime + kEngineBar + kPrecision;
const kNarrow = kTime + kEngineBar + 8;
const kTimesOnly = 66;
// Without times, only what an engine reads and writes.
const kTypesOnly = 100;
const kDelta = 72;
const kBar = 74;
const kRatio = 50;
const kLoss = 58;
const kLossDelta = 80;
const kRoomForLoss = 860;
const kMinName = 150;
const kMaxName = 280;
const kMinChanges = 200;
// If there is little room.
const kTightChanges = 120;

// The speed-up repeats the difference, so it is dropped before chips are cut. Without times there
// is neither. SQNR columns get room first, because few engines have them.
export function columnWidths(
  available: number,
  engines: number,
  hasTimes = true,
  hasLoss = false,
): ColumnWidths {
  const loss = hasLoss && available >= kRoomForLoss ? kLoss : 0;
  const lossDelta = hasLoss ? kLossDelta : 0;
  const room = available - 2 * loss - lossDelta;
  return { ...withoutLoss(room, engines, hasTimes), loss, lossDelta };
}

type WithoutLoss = Omit<ColumnWidths, 'loss' | 'lossDelta'>;

function withoutLoss(available: number, engines: number, hasTimes: boolean): WithoutLoss {
  const others = Math.max(0, engines - 2);
  const least = kMinName + kMinChanges;
  const made = (form: Omit<WithoutLoss, 'name' | 'changes' | 'ratio'>): WithoutLoss => {
    const shown = form.others === 'hidden' ? 0 : others * form.other;
    const used = 2 * form.engine + shown + form.delta + form.bar;
    const ratio = hasTimes && available - used >= least + kRatio + 50 ? kRatio : 0;
    const free = Math.max(kMinName + kTightChanges, available - used - ratio);
    const name = Math.min(kMaxName, kMinName + Math.max(0, free - least) * 0.3);
    return { ...form, ratio, name: Math.round(name), changes: Math.round(free - name) };
  };
  if (!hasTimes) {
    const without = { delta: 0, bar: 0, engine: kTypesOnly, other: kTypesOnly };
    const fit = available >= least + (others + 2) * kTypesOnly;
    return made({ ...without, others: fit ? 'full' : 'hidden' });
  }
  const usual = { delta: kDelta, bar: kBar, engine: kFull };
  const both = least + kDelta + kBar + 2 * kFull;
  if (available >= both + others * kFull) return made({ ...usual, others: 'full', other: kFull });
  if (available >= both + others * kTimesOnly) {
    return made({ ...usual, others: 'times', other: kTimesOnly });
  }
  if (available >= both) return made({ ...usual, others: 'hidden', other: 0 });
  return made({ others: 'hidden', other: 0, delta: kDelta, bar: 0, engine: kNarrow });
}

export function hasPrecision(widths: ColumnWidths): boolean {
  return widths.engine >= kFull || widths.delta === 0;
}
