// Tensors with the loss up to them and their quantization, and which of them is shown.

import {
  accuracyOf,
  isNumber,
  type CalibratedTensor,
  type DifferenceMap,
  type Engine,
  type EngineAccuracy,
  type Store,
  type TensorLoss,
} from '../../public/index.ts';

export interface AccuracyItem {
  // In the order of the float model.
  readonly at: number;
  readonly tensor: string;
  readonly name: string;
  // The layer that writes it; null: unknown.
  readonly row: number | null;
  readonly loss: TensorLoss | null;
  readonly calibration: CalibratedTensor | null;
}

export interface AccuracyData {
  readonly accuracy: EngineAccuracy;
  readonly items: readonly AccuracyItem[];
  // Items that are compared, in order.
  readonly compared: readonly AccuracyItem[];
  // One per tensor that was drawn, the worst first.
  readonly maps: readonly TensorMaps[];
}

// The first sample's values in a tensor, and where they differ after quantization.
export interface TensorMaps {
  readonly tensor: string;
  readonly float: DifferenceMap;
  readonly simulated: DifferenceMap | null;
  readonly engine: DifferenceMap | null;
}

// A map whose cell count does not match its sides is left out.
function mapsOf({ maps }: EngineAccuracy): readonly TensorMaps[] {
  const isWhole = ({ width, height, cells }: DifferenceMap): boolean =>
    isNumber(width) && isNumber(height) && cells?.length === width * height && width * height > 0;
  const whole = maps.filter(isWhole);
  return whole
    .filter(({ shown }) => shown === 'float')
    .map((float) => {
      const { tensor, width, height } = float;
      const of = (side: string): DifferenceMap | null =>
        whole.find(
          (map) =>
            map.tensor === tensor &&
            map.shown === side &&
            map.width === width &&
            map.height === height,
        ) ?? null;
      return { tensor: tensor ?? '', float, simulated: of('simulated'), engine: of('engine') };
    });
}

const kTensorOption = 'accuracy.tensor';

// Inputs are quantized but not compared, so they come first.
export function dataOf(engine: Engine): AccuracyData | null {
  const accuracy = accuracyOf(engine);
  if (accuracy === null) return null;
  const calibrated = new Map(accuracy.calibration.map((one) => [one.tensor ?? '', one]));
  const compared = new Set(accuracy.tensors.map(({ tensor }) => tensor ?? ''));
  const items: AccuracyItem[] = [];
  const add = (loss: TensorLoss | null, calibration: CalibratedTensor | null): void => {
    const tensor = loss?.tensor ?? calibration?.tensor ?? '';
    const layer = loss?.layer_id ?? calibration?.layer_id ?? null;
    items.push({
      at: items.length,
      tensor,
      name: loss?.op_name ?? calibration?.op_name ?? tensor,
      row: layer === null ? null : engine.rowOf(layer),
      loss,
      calibration,
    });
  };
  for (const one of accuracy.calibration) if (!compared.has(one.tensor ?? '')) add(null, one);
  for (const one of accuracy.tensors) add(one, calibrated.get(one.tensor ?? '') ?? null);
  const withLoss = items.filter(({ loss }) => loss !== null);
  return { accuracy, items, compared: withLoss, maps: mapsOf(accuracy) };
}

// How far the engine is below the model's own arithmetic; NaN if either value is missing.
export function gapOf({ loss }: AccuracyItem): number {
  const simulated = loss?.simulated_db ?? null;
  const engine = loss?.engine_db ?? null;
  return simulated === null || engine === null ? Number.NaN : simulated - engine;
}

export const isDisturbed = ({ loss }: AccuracyItem): boolean => loss?.tap === 'disturbed';

// The tensor that was chosen, while its layer or none is selected; else the last of those that the
// selected layer writes.
export function chosenItem(store: Store, data: AccuracyData): AccuracyItem | null {
  const { selected } = store.state;
  const picked = store.option(kTensorOption);
  const item = data.items.find(({ tensor }) => tensor === picked) ?? null;
  if (item !== null && (selected === null || item.row === selected)) return item;
  if (selected === null) return null;
  return data.items.findLast(({ row }) => row === selected) ?? null;
}

export function choose(store: Store, item: AccuracyItem): void {
  store.patch({
    options: { ...store.state.options, [kTensorOption]: item.tensor },
    selected: item.row,
  });
}

// The tensor whose values are drawn by default: the quantized one that lost most.
export function shownCalibration(store: Store, data: AccuracyData): AccuracyItem | null {
  const chosen = chosenItem(store, data);
  if (chosen !== null) return chosen;
  const own = (item: AccuracyItem): number => item.calibration?.sqnr_db ?? Number.POSITIVE_INFINITY;
  const drawn = data.items.filter(({ calibration }) => (calibration?.histogram ?? null) !== null);
  const least = Math.min(...drawn.map(own));
  return drawn.find((item) => own(item) === least) ?? null;
}

// The chosen tensor's maps; by default the first. Null: that tensor was not drawn.
export function shownMaps(store: Store, data: AccuracyData): TensorMaps | null {
  const chosen = chosenItem(store, data);
  if (chosen === null) return data.maps[0] ?? null;
  return data.maps.find(({ tensor }) => tensor === chosen.tensor) ?? null;
}

// Text for a missing value: bit for bit equal means no noise.
export function dbText(db: number | null, isEqual: number | null, missing: string): string {
  if (isNumber(db)) return db.toFixed(1).replace('-', '\u2212');
  return isEqual === 1 ? '=' : missing;
}
