// A goal for accuracy, as records have it.

// "20 dB" is a line in a picture, "top1=99%" and "same" are not.
export function goalDb(goal: string | null): number | null {
  const found = /^(-?[\d.]+) dB$/.exec(goal ?? '')?.[1];
  const db = found === undefined ? Number.NaN : Number(found);
  return Number.isFinite(db) ? db : null;
}
