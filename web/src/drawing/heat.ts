// Six steps of heat. Their edges are quantiles of what is shown, so that one slow layer does not
// whiten the rest; as render/drawing/paint.h has it.

export const kHeatSteps = 6;

export interface HeatScale {
  // Ascending; a value belongs to the step of as many edges as are not above it.
  readonly bounds: readonly number[];
  readonly least: number;
  readonly greatest: number;
}

export function heatScale(values: Iterable<number>): HeatScale | null {
  const sorted = [...values].filter((v) => v > 0).sort((a, b) => a - b);
  const least = sorted[0];
  const greatest = sorted.at(-1);
  if (least === undefined || greatest === undefined) return null;
  const bounds = Array.from(
    { length: kHeatSteps - 1 },
    (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / kHeatSteps)] ?? greatest,
  );
  return { bounds, least, greatest };
}

export function heatStep(scale: HeatScale, value: number): number {
  return scale.bounds.filter((bound) => value >= bound).length;
}
