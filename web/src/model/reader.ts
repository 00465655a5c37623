// Reads untrusted JSON into the types that the program describes (report_types.ts). A value of the
// wrong kind reads as missing: null if the type allows it, else empty. Unknown members are ignored,
// because a newer planex may add some.
//
// The marks of no side effects tell the bundler that it can drop a reader that nothing uses.

import { asNumber, asObject, entriesOf, type Json, type JsonObject } from './json_value.ts';

export interface Reader<T> {
  // Undefined if the JSON is of another kind.
  readonly read: (json: Json | undefined) => T | undefined;
  // The value used instead.
  readonly missing: () => T;
  readonly isObject?: boolean;
}

// For a member that objects may lack.
interface OptionalReader<T> extends Reader<T> {
  readonly isOptional: true;
}

// The type of what is read.
export type ReadType<R> = R extends Reader<infer T> ? T : never;

export function readAs<T>(reader: Reader<T>, json: unknown): T {
  const value = reader.read(json as Json | undefined);
  return value === undefined ? reader.missing() : value;
}

/* @__NO_SIDE_EFFECTS__ */
function scalarOf<T extends Json>(is: (json: Json | undefined) => json is T, none: T): Reader<T> {
  return { read: (json) => (is(json) ? json : undefined), missing: () => none };
}

const isNumber = (json: Json | undefined): json is number => asNumber(json) !== null;
const isText = (json: Json | undefined): json is string => typeof json === 'string';

export const truth = scalarOf((json): json is boolean => typeof json === 'boolean', false);
export const integer = scalarOf(isNumber, 0);
// A missing number is NaN, not 0.
export const real = scalarOf(isNumber, Number.NaN);
export const text = scalarOf(isText, '');
export const scalar = scalarOf((json) => isNumber(json) || isText(json), '');

// If null is not allowed, an unknown word reads as the last one: lists of words end with the least
// specific (unknown, other, info).
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<Word extends string>(...words: readonly [Word, ...Word[]]): Reader<Word> {
  const known: readonly string[] = words;
  const last = words.at(-1) ?? words[0];
  return scalarOf((json): json is Word => isText(json) && known.includes(json), last);
}

/* @__NO_SIDE_EFFECTS__ */
export function orNull<T>(reader: Reader<T>): Reader<T | null> {
  return { read: (json) => reader.read(json) ?? null, missing: () => null };
}

/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(reader: Reader<T>): OptionalReader<T> {
  return { read: reader.read, missing: () => undefined as T, isOptional: true };
}

// An item of the wrong kind keeps its place, because lists may be columns of one table; lists of
// objects drop it.
/* @__NO_SIDE_EFFECTS__ */
export function listOf<T>(item: Reader<T>): Reader<readonly T[]> {
  return {
    read: (json) => {
      if (!Array.isArray(json)) return undefined;
      const list: T[] = [];
      for (const one of json as readonly Json[]) {
        const value = item.read(one);
        if (value !== undefined) list.push(value);
        else if (item.isObject !== true) list.push(item.missing());
      }
      return list;
    },
    missing: () => [],
  };
}

function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/* @__NO_SIDE_EFFECTS__ */
export function mapOf<T>(item: Reader<T>): Reader<Readonly<Record<string, T>>> {
  const read = (json: Json | undefined): Readonly<Record<string, T>> | undefined =>
    isObject(json)
      ? Object.fromEntries(
          entriesOf(json).flatMap(([name, one]) => {
            const value = item.read(one);
            return value === undefined ? [] : [[name, value] as const];
          }),
        )
      : undefined;
  return { read, missing: () => ({}) };
}

type Fields = Readonly<Record<string, Reader<unknown>>>;
type OptionalNames<F extends Fields> = {
  [Name in keyof F]: F[Name] extends OptionalReader<unknown> ? Name : never;
}[keyof F];
// Each member has the name of its field, so that editors show the field's comment.
type Members<F extends Fields> = {
  readonly [Name in keyof F as Exclude<Name, OptionalNames<F>>]: ReadType<F[Name]>;
} & {
  readonly [Name in keyof F as Extract<Name, OptionalNames<F>>]?: ReadType<F[Name]>;
};

/* @__NO_SIDE_EFFECTS__ */
export function objectOf<F extends Fields>(
  fields: F,
): Reader<{ [Name in keyof Members<F>]: Members<F>[Name] }> {
  const known = Object.entries(fields);
  const valueOf = (json: JsonObject): Members<F> => {
    const object: Record<string, unknown> = {};
    for (const [name, reader] of known) {
      const value = readAs(reader, json[name as Lowercase<string>]);
      if (value !== undefined) object[name] = value;
    }
    return object as Members<F>;
  };
  return {
    read: (json) => (isObject(json) ? valueOf(json) : undefined),
    missing: () => valueOf({}),
    isObject: true,
  };
}

// Rows as columns, which are decoded one by one (table.ts).
export const table: Reader<unknown> = { read: asObject, missing: () => ({}) };

export const anything: Reader<unknown> = { read: (json) => json, missing: () => undefined };
