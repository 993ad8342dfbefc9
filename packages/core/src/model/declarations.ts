import type { FieldRef, ValueType } from '@gradsim/kernel';
import { field as fieldRef } from '@gradsim/kernel';
import type { Domain, Field } from './field.ts';
import type { ValueRange } from './fit.ts';

/** Options of {@link Model.addDomain}. */
export type DomainOptions = Partial<Omit<Domain, 'name' | 'size'>>;

export const DOMAIN_OPTIONS = { elementsTogether: true, componentsTogether: true, describe: true, grid: true };

/** Options of {@link Model.addField}. */
export interface FieldOptions {
  readonly values?: ArrayLike<number>;
  /** Value of every element if there are no `values`: one number for each component, or one number for all. */
  readonly fill?: number | readonly number[];
  readonly variesBy?: 'frame' | 'substep';
  readonly shared?: boolean;
  /** Allowed range of the values, whoever sets them. */
  readonly range?: ValueRange;
  /** Sentence for reports that explains what it means if no observation depends on the field. */
  readonly unseen?: string;
  /**
   * Field of the same type whose rounding errors this field holds (see `addCompensated`): the part of a given value
   * that single precision cannot represent.
   */
  readonly carryOf?: FieldRef<ValueType>;
}

/** Names of the options of a field, with `unit`, which belongs to its reference. */
export const FIELD_OPTIONS = {
  values: true,
  fill: true,
  variesBy: true,
  shared: true,
  range: true,
  unseen: true,
  unit: true,
  carryOf: true,
};

/** Arguments that declare a field: a reference, or its domain, name and type; then further arguments of the method. */
export type FieldArguments<Rest> =
  | [ref: FieldRef<ValueType>, rest?: Rest]
  | [domain: string, name: string, type: ValueType, rest?: Rest];
/** Domain, name, target and count of an index field. */
export type IndexArguments = [domain: string, name: string, target: string, count: number];

/** Returns the reference that arguments declare, and the argument that follows it. */
export function referenceAndOptions<Rest>(args: FieldArguments<Rest>): [FieldRef<ValueType>, Rest | undefined] {
  if (typeof args[0] !== 'string') return args as [FieldRef<ValueType>, Rest | undefined];
  const [domain, name, type, rest] = args as [string, string, ValueType, Rest | undefined];
  return [fieldRef(domain, name, type, rest as { unit?: string } | undefined), rest];
}

/** Returns the field of a reference, without values. */
export const ofValues = (ref: FieldRef<ValueType>): Field => {
  const { key, domain, name, unit } = ref;
  const { scalar, components } = ref.type;
  return { key, ref, domain, name, scalar, components, shared: false, unit };
};
