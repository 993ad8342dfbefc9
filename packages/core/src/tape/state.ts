import { GradsimError, nearestTo } from '@gradsim/base';
import type { Answer, MemoryPlace, QuerySteps, ReadRequest, StepClock } from '@gradsim/kernel/internal';
import { fromWords, toWords } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../compile/compiled-model.ts';
import type { Field } from '../model/field.ts';

/** Values of a field: [world][element][component], or [moment][world][element][component]. */
export interface StateValues {
  readonly elements: number;
  readonly components: number;
  /** Number of moments for which there are values; 1 for a field that is not an input over time. */
  readonly moments: number;
  /** Number of worlds; 1 for values that all worlds share. */
  readonly worlds: number;
  readonly values: Float32Array | Float64Array | Uint32Array;
}

/**
 * State from which a run can resume: its time, the values that were set, the states, and the results of the last
 * search. Plain data, by field: it can be cloned, sent to a worker, and {@link encodeState | written to a file}.
 */
export interface State {
  readonly format: 1;
  /** Number of the next substep, and number of substeps per frame. */
  readonly substep: number;
  readonly substeps: number;
  /** Length of a substep, s; of the longest, if frames have times of their own. */
  readonly dt: number;
  /** Time, s, if frames have times of their own; else it is `substep * dt`. */
  readonly time?: number;
  readonly worlds: number;
  /** Substep before which phase search ran last, and the interval of searches in substeps; null without a search. */
  readonly search: { readonly substep: number; readonly interval: number } | null;
  /** Hash of the values of each index field, by key. */
  readonly topology: Readonly<Record<string, number>>;
  /** Values that were set or come from the scene, by key: parameters, constants, initial states. */
  readonly inputs: Readonly<Record<string, StateValues>>;
  readonly states: Readonly<Record<string, StateValues>>;
  readonly found: Readonly<Record<string, StateValues>>;
}

/** Moment of a run to which a state belongs. */
export type Moment = Pick<State, 'substep' | 'substeps' | 'dt' | 'time'> & { readonly searched: number | null };

/** A field that is part of a state, with its place and its number of moments. */
interface Part {
  readonly field: Field;
  readonly place: MemoryPlace;
  readonly moments: number;
}

/** Fields that make up the state of a model: inputs, states, and results of the search. */
export interface Parts {
  readonly inputs: readonly Part[];
  readonly states: readonly Part[];
  readonly found: readonly Part[];
}
const GROUPS = ['inputs', 'states', 'found'] as const;

/**
 * Returns the fields that make up the state of a model.
 * @param stateNow returns the place of a state in the current slot.
 */
export function partsOf(
  { fields, layout, roles }: CompiledModel,
  moments: (field: Field) => number,
  stateNow: (place: MemoryPlace) => MemoryPlace,
): Parts {
  const isSet = (field: Field): boolean => {
    const role = roles.get(field.key);
    if (field.target !== undefined) return false;
    return role === 'input' || role === 'state' || (role === 'derived' && field.values !== undefined);
  };
  const one = (field: Field, place: MemoryPlace): Part => ({ field, place, moments: 1 });
  return {
    inputs: [...fields.values()]
      .filter(isSet)
      .map((field) => ({ field, place: layout.input(field), moments: moments(field) })),
    states: layout
      .fieldsOf('state')
      .map((field) => one(field, stateNow(layout.primal({ field, cycle: 'physics', loop: null, number: 0 })))),
    found: layout.fieldsOf('found').map((field) => one(field, layout.derived(field))),
  };
}

const strideOf = ({ registerStride, words }: MemoryPlace): number => registerStride ?? words;

/** Reads a state from a device. */
export function* stateOf(
  { fields, model, layout }: CompiledModel,
  parts: Parts,
  { searched, ...moment }: Moment,
  read: (requests: readonly ReadRequest[]) => QuerySteps<readonly Answer[]>,
): QuerySteps<State> {
  const kept = searched === null ? { ...parts, found: [] } : parts;
  const all = GROUPS.flatMap((group) => kept[group]);
  const answers = yield* read(
    all.map(({ place, moments }) => ({
      arena: place.buffer,
      from: place.offset,
      words: place.words === 0 || moments === 0 ? 0 : strideOf(place) * (moments - 1) + place.words,
    })),
  );
  const values = new Map(all.map((part, k) => [part, valuesOf(part, answers[k])]));
  const group = (of: readonly Part[]): Record<string, StateValues> =>
    Object.fromEntries(of.map((part) => [part.field.key, values.get(part)!]));
  return {
    format: 1,
    ...moment,
    worlds: layout.worlds,
    search: searched === null ? null : { substep: searched, interval: model.searchInterval },
    topology: topologyOf([...fields.values()]),
    inputs: group(kept.inputs),
    states: group(kept.states),
    found: group(kept.found),
  };
}

function valuesOf({ place, moments }: Part, words: Answer): StateValues {
  const { elements, components, worlds } = place.shape;
  const perMoment = elements * components * worlds;
  const values = emptyLike(words, perMoment * moments);
  for (let moment = 0; moment < moments; moment++)
    fromWords(place.shape, words, moment * strideOf(place), values, moment * perMoment);
  return { elements, components, moments, worlds, values };
}

function emptyLike(words: Answer, length: number): Answer {
  if (words instanceof Uint32Array) return new Uint32Array(length);
  return words instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
}

/** Returns the FNV-1a hash of the indices of each index field. */
function topologyOf(fields: readonly Field[]): Record<string, number> {
  const indices = fields.filter(({ target, isComputed }) => target !== undefined && !isComputed);
  return Object.fromEntries(
    indices.map(({ key, values = [] }) => {
      let hash = 0x811c9dc5;
      for (let k = 0; k < values.length; k++) hash = Math.imul(hash ^ values[k], 0x01000193);
      return [key, hash >>> 0];
    }),
  );
}

/**
 * @throws when a state belongs to another model: a field is missing, unknown or of another size, or index fields
 * differ.
 */
export function checkState(compiled: CompiledModel, parts: Parts, state: State): void {
  const refuse = (why: string): never => {
    throw new GradsimError('core/state-of-other-model', `This state cannot be continued from: ${why}.`);
  };
  if (state?.format !== 1)
    refuse(
      state && typeof state === 'object' && 'format' in state
        ? `it has format ${state.format}, and this version of @gradsim/core reads format 1`
        : 'it is none; use what `simulation.state()` gives, or decodeState() of what encodeState() gave',
    );
  const { worlds } = compiled.layout;
  if (state.worlds !== 1 && state.worlds !== worlds)
    refuse(`it has ${state.worlds} worlds, and this simulation ${worlds}`);
  for (const group of GROUPS) {
    if (group === 'found' && !state.search) continue;
    compareGroup(group, parts[group], state[group], refuse);
  }
  const topology = topologyOf([...compiled.fields.values()]);
  for (const [key, hash] of Object.entries(topology)) {
    const other = state.topology[key];
    if (other === undefined) refuse(`it is of a model without ${key}`);
    if (other !== hash) refuse(`its ${key} are others: what belongs together differs`);
  }
  for (const key of Object.keys(state.topology))
    if (!(key in topology)) refuse(`it is of a model with ${key}, which this one has not`);
}

function compareGroup(
  group: (typeof GROUPS)[number],
  parts: readonly Part[],
  values: Readonly<Record<string, StateValues>>,
  refuse: (why: string) => never,
): void {
  const what = { inputs: 'input', states: 'state', found: 'list of a search' }[group];
  const keys = parts.map(({ field }) => field.key);
  for (const key of Object.keys(values)) {
    if (keys.includes(key)) continue;
    const near = nearestTo(key, keys);
    refuse(`it has the ${what} ${key}, which this model has not${near ? `; it has ${near}` : ''}`);
  }
  for (const { field, place, moments } of parts) {
    const found = values[field.key];
    if (!found) {
      refuse(`it lacks the ${what} ${field.key}`);
      continue;
    }
    const { elements, components } = place.shape;
    if (found.elements !== elements || found.components !== components)
      refuse(
        `its ${field.key} has ${found.elements} x ${found.components} values, and this model ${elements} x ${components}`,
      );
    if (found.moments !== moments)
      refuse(
        `its ${field.key} has values for ${found.moments} moments, and this simulation for ${moments}: make it with as many \`frames\``,
      );
    const length = found.elements * found.components * found.moments * found.worlds;
    if (found.values.length !== length)
      refuse(`its ${field.key} has ${found.values.length} values instead of ${length}`);
  }
}

/** Writes the inputs of a state to the simulation. */
export function putInputs(compiled: CompiledModel, { inputs }: Parts, state: State): void {
  for (const { field, place } of inputs) putWords(compiled, place, state.inputs[field.key]);
}

/** Writes the states into a slot, and the results of the search to their place. */
export function putStates(
  compiled: CompiledModel,
  { states, found }: Parts,
  state: State,
  slot: Readonly<Record<'f32' | 'u32', number>>,
): void {
  const { layout } = compiled;
  for (const { field, place } of states) {
    const offset = slot[place.buffer] + layout.stateOffset(field);
    putWords(compiled, { ...place, offset, registerStride: undefined }, state.states[field.key]);
  }
  if (state.search) for (const { field, place } of found) putWords(compiled, place, state.found[field.key]);
}

/** Writes values to a place; values of one world go to all worlds. */
function putWords({ executor, layout }: CompiledModel, place: MemoryPlace, given: StateValues): void {
  const { shape, buffer } = place;
  const perMoment = given.elements * given.components * given.worlds;
  const count = shape.elements * shape.components * shape.worlds;
  for (let moment = 0; moment < given.moments; moment++) {
    const own = given.values.subarray(moment * perMoment, (moment + 1) * perMoment);
    const all = given.worlds === shape.worlds ? own : repeated(own, layout.worlds);
    const words = buffer === 'u32' ? new Uint32Array(count) : new Float64Array(count);
    toWords(shape, all, 0, words);
    const at = place.offset + moment * strideOf(place);
    if (words instanceof Uint32Array) executor.writeU32(at, words);
    else executor.writeF32(at, words);
  }
}

function repeated(values: ArrayLike<number>, times: number): Float64Array {
  return Float64Array.from({ length: values.length * times }, (_, k) => values[k % values.length]);
}

/** Tolerated rounding error of a state's time, in frames, if its substep has another length. */
const FRAME_ROUNDING = 1e-6;

/**
 * Returns the number of a state's substep at the times of another simulation. @throws if no frame of the simulation
 * ends there.
 */
export function substepAt(state: State, { dt, substeps, frameTimes }: StepClock): number {
  const isEven = !frameTimes && state.time === undefined;
  if (isEven && state.dt === dt && state.substep % substeps === 0) return state.substep;
  const frameTime = dt * substeps;
  const time = state.time ?? state.substep * state.dt;
  const isAt = (frame: number): boolean =>
    Math.abs((frameTimes ? frameTimes[frame] : frame * frameTime) - time) <= FRAME_ROUNDING * frameTime;
  const frame = frameTimes ? frameTimes.findIndex((_, k) => isAt(k)) : Math.round(time / frameTime);
  if (frame < 0 || !isAt(frame))
    throw new GradsimError(
      'core/state-of-other-model',
      `continueFrom(): the state is of ${time.toPrecision(4)} s, which is not where a frame ${frameTimes ? 'of this simulation' : `of ${frameTime.toPrecision(4)} s`} ends.`,
    );
  return frame * substeps;
}
