import type { F32, FieldKey, Model } from '@gradsim/core';
import { bind, f32, fieldOn, GradsimError, index, kernel, refuseUnknownOptions, select, when } from '@gradsim/core';
import type { Layer } from './dense.ts';
import { refuseNumber } from './inputs/controller-input.ts';
import type { FloatField } from './inputs/float-field.ts';
import { floatField, partsOf, resolveComponents, resolveElements, valueFromParts } from './inputs/float-field.ts';

/** Fields, elements and components that a controller's outputs drive. */
export interface Drive {
  /**
   * Driven field: if it is a column, such as `Tet.actuation`, `Link.drive` or `Link.restCoordinate`, outputs replace
   * its values; if a sum, such as `Particle.force` or `Body.torque`, they are added to it.
   */
  readonly field: FieldKey;
  /** Numbers of the driven elements. Default: all. Other elements keep their values. */
  readonly elements?: readonly number[];
  /** Driven components of a vector field: 0 for x, and so on. Default: all. */
  readonly components?: readonly number[];
  /**
   * Group number of each driven element, counted from 0; elements of a group share outputs. Default: a group per
   * element.
   */
  readonly groups?: ArrayLike<number>;
  /** Factor of the outputs: units of the field per unit of output. Default 1. */
  readonly scale?: number;
  /** Constant added to output times `scale`, in the field's unit. Default 0. */
  readonly offset?: number;
}

const OPTIONS = {
  field: true,
  elements: true,
  components: true,
  groups: true,
  scale: true,
  offset: true,
} as const;

/** A {@link Drive} resolved against a model: defaults filled in, names checked. */
export interface ResolvedDrive {
  readonly driven: FloatField;
  readonly elements: readonly number[];
  readonly components: readonly number[];
  /** Group number of each driven element, in the order of `elements`. */
  readonly groups: readonly number[];
  readonly scale: number;
  readonly offset: number;
  /** Number of controller outputs that the drive takes up. */
  readonly outputs: number;
}

/**
 * Resolves a drive. @throws if it names a missing field, element or component, or if group numbers skip one from 0 up.
 */
export function resolveDrive(model: Model, label: string, drive: Drive): ResolvedDrive {
  refuseUnknownOptions<Drive>(label, drive, OPTIONS);
  const { field, scale = 1, offset = 0 } = drive;
  const driven = floatField(model, label, field);
  const elements = resolveElements(label, driven, drive.elements);
  const components = resolveComponents(label, driven, drive.components);
  refuseNumber(`The scale of ${label}`, scale, 'be finite');
  refuseNumber(`The offset of ${label}`, offset, 'be finite');
  const groups = Array.from(drive.groups ?? elements.keys());
  if (groups.length !== elements.length)
    throw new GradsimError(
      'control/wrong-size',
      `${label} has ${groups.length} groups for ${elements.length} elements.`,
      { hint: 'Give one for each.' },
    );
  const count = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const members = new Set(groups);
  if (!groups.every((group) => Number.isInteger(group) && group >= 0) || members.size !== count)
    throw new GradsimError(
      'control/wrong-groups',
      `${label} has groups that are not the whole numbers from 0 on without gaps.`,
    );
  return { driven, elements, components, groups, scale, offset, outputs: count * components.length };
}

/** Adds the pass that writes controller outputs, from output number `first` on, to the driven field. */
export function addDrive(
  model: Model,
  name: string,
  outputs: Layer,
  first: number,
  { driven, elements, components, groups, scale, offset }: ResolvedDrive,
): void {
  const { field, ref, type, size } = driven;
  const { domain } = field;
  const each = components.length;
  const isSum = field.isSum === true;
  const isPlain = elements.length === size && elements.every((e, k) => e === k && groups[k] === k);
  if (!isPlain) {
    const starts = new Uint32Array(size);
    const isDriven = new Float32Array(size);
    elements.forEach((element, k) => {
      starts[element] = first + groups[k] * each;
      isDriven[element] = 1;
    });
    model.addIndex(domain, `${name}First`, outputs.domain, 1, starts);
    model.addField(domain, `${name}IsOn`, f32, { values: isDriven, shared: true });
  }
  const reads = {
    output: fieldOn(outputs.domain, f32),
    ...(isPlain ? {} : { first: index(outputs.domain), isOn: f32 }),
  };
  const bindings = {
    output: 'value',
    driven: ref,
    ...(isPlain ? {} : { first: `${name}First`, isOn: `${name}IsOn` }),
  };
  /** Composes a field value: driven components from `at`, scaled and offset, the others from `otherwise`. */
  const made = (at: (c: number) => F32, otherwise: (c: number) => F32) =>
    valueFromParts(
      type,
      Array.from({ length: type.components }, (_, c) => {
        const k = components.indexOf(c);
        return k < 0 ? otherwise(c) : at(k).mul(scale).add(offset);
      }),
    );
  if (isSum) {
    const add = kernel(
      `${name}_adds`,
      { domain, reads, adds: { driven: type } },
      ({ output, first: start, isOn, driven: sum }, { element }) => {
        const from = start ?? element.mul(each).add(first);
        const value = () =>
          made(
            (k) => output.at(from.add(k)),
            () => f32(0),
          );
        if (isOn) when(isOn.gt(0), () => sum.add(value()));
        else sum.add(value());
      },
    );
    model.addPass('force', bind(add, bindings));
    return;
  }
  const keeps = !isPlain || each < type.components;
  const write = kernel(
    `${name}_writes`,
    { domain, reads: { ...reads, ...(keeps ? { driven: type } : {}) }, writes: { driven: type } },
    ({ output, first: start, isOn, driven: before }, { element }) => {
      const from = start ?? element.mul(each).add(first);
      const was = (c: number): F32 => partsOf(before!)[c];
      const value = made((k) => output.at(from.add(k)), was);
      if (!isOn) return { driven: value };
      const parts = partsOf(value).map((part, c) => select(isOn.gt(0), part, was(c)));
      return { driven: valueFromParts(type, parts) };
    },
  );
  model.addPass('control', bind(write, bindings));
}
