// Reading JSON defensively. A field of the wrong kind reads as missing: a report made by a newer
// planex must open as far as it can be understood.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
// Keys are written in lower_case. A camelCase key would always read as missing, so the type rejects
// it.
export type Key = Lowercase<string>;
export interface JsonObject {
  readonly [key: Key]: Json | undefined;
}

export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

export function entriesOf(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(object as Readonly<Record<string, Json>>);
}

export function asArray(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function asText(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function asChoice<T extends string>(
  value: Json | undefined,
  choices: readonly T[],
  fallback: T,
): T {
  return choices.find((choice) => choice === value) ?? fallback;
}
