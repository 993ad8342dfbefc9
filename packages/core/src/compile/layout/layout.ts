import { defect } from '@gradsim/base';
import type { Device, Precision } from '@gradsim/kernel';
import type {
  AccessRecord,
  ForwardSurroundings,
  IndexReader,
  KernelForm,
  MemoryPlace,
  Shape,
} from '@gradsim/kernel/internal';
import { Arena, bytesOfFloat, plainIndicesOf, shapeWords } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import { keyOf } from '../../model/uses.ts';
import type { Fields } from '../steps/fields.ts';
import type { LastVersions } from '../steps/last-versions.ts';
import type { Role } from '../steps/roles.ts';
import { isUnwritten } from '../steps/roles.ts';
import type { Loop, Version } from '../steps/versions.ts';
import { endOfRound, versionKey } from '../steps/versions.ts';
import type { Register } from './registers.ts';
import { Rounds } from './round-slots.ts';

export interface LayoutOptions {
  readonly worlds: number;
  /** Number of tangents (directions of forward mode) of each value. */
  readonly tangents: number;
  readonly frames: number;
  readonly substepsInAll: number;
  /** Keys of the frame fields of which every frame is kept. */
  readonly record: ReadonlySet<string>;
  /** Precision of the device, and its fastest method to add at indices known only at run time. */
  readonly precision: Precision;
  readonly scatters: Device['scatters'];
  readonly accumulatorWords: Device['accumulatorWords'];
  /** Keys of the index fields that may hold `NO_ELEMENT`. */
  readonly withNone: ReadonlySet<string>;
}

/** Places of all fields (primal), or of all their adjoints. */
class Places {
  /** Temporaries, which live within a substep, a frame or a round, by `versionKey`. */
  readonly versions = new Map<string, MemoryPlace>();
  /** Places of the fields that the host writes. */
  readonly given = new Map<Field, MemoryPlace>();
  /** Fields that setup or a search computes, and that stay valid after it. */
  readonly made = new Map<Field, MemoryPlace>();
  /** Recorded fields, with the place of all their frames. */
  readonly recorded = new Map<Field, MemoryPlace>();
  /**
   * Slots of a state, by register: the one that a substep reads and the one that it writes, which alternate in the same
   * memory.
   */
  readonly states = new Map<Field, Map<Register, MemoryPlace>>();
}

/** One number for the arena of floats and one for the arena of integers. */
export type ByArena = Readonly<Record<'f32' | 'u32', number>>;

const arenaOf = ({ scalar }: Field): 'f32' | 'u32' => (scalar === 'f32' ? 'f32' : 'u32');

/** Assigns every version of every field its place in the arena, and its adjoint and its tangent their places. */
export class Layout implements ForwardSurroundings<Version> {
  readonly arena = new Arena();
  readonly fields: Fields;
  readonly roles: ReadonlyMap<string, Role>;
  readonly options: LayoutOptions;
  readonly #last: LastVersions;
  readonly #primal = new Places();
  readonly #adjoint = new Places();
  readonly #tangent = new Map<MemoryPlace, readonly MemoryPlace[]>();
  readonly #slotPlaces: MemoryPlace[] = [];
  /** Number of words in one copy of all states. */
  readonly stateWords: ByArena;
  readonly #stateOffset = new Map<string, number>();
  /** Offsets of slot 0 in words; null until slots are reserved. */
  #slotBase: ByArena | null = null;

  constructor(
    fields: Fields,
    roles: ReadonlyMap<string, Role>,
    last: LastVersions,
    loops: readonly Loop[],
    options: LayoutOptions,
  ) {
    this.fields = fields;
    this.roles = roles;
    this.options = options;
    this.#last = last;
    this.#rounds = new Map(loops.map((loop) => [loop, new Rounds(loop, (field) => this.shape(field))]));
    const words = { f32: 0, u32: 0 };
    for (const field of this.fieldsOf('state')) {
      const arena = arenaOf(field);
      this.#stateOffset.set(field.key, words[arena]);
      words[arena] += Math.ceil(shapeWords(this.shape(field)) / 4) * 4;
    }
    this.stateWords = words;
  }

  /** Number of bytes in one copy of all states. */
  get stateBytes(): number {
    return this.bytesOf(this.stateWords);
  }
  /** Returns the number of bytes of words, with floats of this device or of another precision. */
  bytesOf({ f32, u32 }: ByArena, precision: Precision = this.options.precision): number {
    return bytesOfFloat(precision) * f32 + 4 * u32;
  }
  /** Places that record additions at an index that is no element. */
  readonly accessRecords: AccessRecord[] = [];

  get scatters(): Device['scatters'] {
    return this.options.scatters;
  }
  get accumulatorWords(): Device['accumulatorWords'] {
    return this.options.accumulatorWords;
  }
  addAccessRecord(record: AccessRecord): void {
    this.accessRecords.push(record);
  }
  holdsNone(key: string): boolean {
    return this.options.withNone.has(key);
  }
  get worlds(): number {
    return this.options.worlds;
  }
  sizeOf(domain: string): number {
    return this.fields.domain(domain).size;
  }
  describe(domain: string, element: number): string {
    return this.fields.model.describe(domain, element);
  }
  worldsInner(domain: string): boolean {
    return !this.fields.domain(domain).elementsTogether;
  }
  /** Returns the constant words of a kernel's index fields. */
  indicesOf(form: KernelForm, names: Readonly<Record<string, string>>): IndexReader {
    const key = keyOf(form, names);
    // Looked up once a port, not an element: names are long.
    const fields = new Map<Parameters<IndexReader>[0]['port'], Field>();
    return ({ port, component }, element) => {
      const field = fields.get(port) ?? this.fields.field(key(port));
      fields.set(port, field);
      return field.values![element * field.components + component];
    };
  }

  fieldsOf(role: Role): Field[] {
    return [...this.fields.values()].filter((f) => this.roles.get(f.key) === role);
  }

  shape(field: Field): Shape {
    const domain = this.fields.domain(field.domain);
    const role = this.roles.get(field.key);
    return {
      elements: domain.size,
      components: field.components,
      worlds: field.shared ? 1 : this.options.worlds,
      worldsInner: !domain.elementsTogether,
      inRows:
        domain.componentsTogether === true && this.options.worlds === 1 && (role === 'frame' || role === 'scratch'),
    };
  }

  isLast(version: Version): boolean {
    return this.#last.has(version);
  }

  /**
   * Returns the place of a version. Different versions may share a place: a state at the end of one substep and at the
   * start of the next.
   */
  primal(version: Version): MemoryPlace {
    const { field, cycle, number } = version;
    if (isUnwritten(version, this.roles)) throw defect(`${field.key} is read in ${cycle} where nothing has written it`);
    const end = endOfRound(version);
    if (end) return this.rounds(version.loop!).primal(field, end);
    if (version.loop) return this.#temporary(this.#primal, version);
    const role = this.roles.get(field.key)!;
    switch (role) {
      case 'input':
        return this.input(field);
      case 'derived':
        if (cycle === 'setup' && number === 0) return this.input(field);
        if (cycle !== 'setup' || this.isLast(version)) return this.#remember(this.#primal.made, field, field);
        break;
      case 'state':
        if (cycle === 'setup' && number === 0) return this.input(field);
        if (cycle === 'setup' && this.isLast(version)) return this.#state(this.#primal, field, 'stateOut');
        if (cycle === 'search' || cycle === 'frame' || (cycle === 'physics' && number === 0))
          return this.#state(this.#primal, field, 'stateIn');
        if (cycle === 'physics' && this.isLast(version)) return this.#state(this.#primal, field, 'stateOut');
        break;
      case 'found':
        if (cycle !== 'search' || this.isLast(version)) return this.#remember(this.#primal.made, field, field);
        break;
      case 'alarm':
        // One place from start to end: it is read and written at the own element only.
        if (number === 0 || this.isLast(version)) return this.input(field);
        break;
      case 'frame':
        if (this.options.record.has(field.key) && this.isLast(version)) return this.#recorded(this.#primal, field);
        break;
      default:
    }
    return this.#temporary(this.#primal, version);
  }

  /** Returns the place of a field that the host writes: parameters, constants, initial values of states. */
  input(field: Field): MemoryPlace {
    const { given } = this.#primal;
    if (field.target !== undefined && field.values && !given.has(field)) {
      const place = this.arena.place(field.key, 'u32', this.shape(field));
      given.set(field, { ...place, indices: plainIndicesOf(field.values, field.components) });
    }
    return this.#remember(given, field, field);
  }
  /** Returns the place of a field that setup or a search computes. */
  derived(field: Field): MemoryPlace {
    return this.#remember(this.#primal.made, field, field);
  }
  recorded(field: Field): MemoryPlace {
    return this.#recorded(this.#primal, field);
  }
  recordedAdjoint(field: Field): MemoryPlace {
    return this.#recorded(this.#adjoint, field);
  }

  #remember<K>(map: Map<K, MemoryPlace>, key: K, field: Field, shape = this.shape(field)): MemoryPlace {
    let place = map.get(key);
    if (!place) {
      const buffer = arenaOf(field);
      place = field.variesBy
        ? this.#repeated(field, shape, field.variesBy === 'frame' ? 'frameOfRun' : 'substepOfRun')
        : this.arena.place(field.key, buffer, shape);
      map.set(key, place);
    }
    return place;
  }

  /** Returns the place of a temporary, which lives within a substep, a frame or a round. */
  #temporary({ versions }: Places, version: Version): MemoryPlace {
    const key = versionKey(version);
    let place = versions.get(key);
    if (!place) {
      const { field } = version;
      place = this.arena.temporary(field.key, arenaOf(field), this.shape(field));
      versions.set(key, place);
    }
    return place;
  }

  #recorded({ recorded }: Places, field: Field): MemoryPlace {
    let place = recorded.get(field);
    if (!place) {
      place = this.#repeated(field, this.shape(field), 'frameOfRun');
      recorded.set(field, place);
    }
    return place;
  }

  /** Allocates a place with a copy for each moment of the run. */
  #repeated(field: Field, shape: Shape, register: Register): MemoryPlace {
    return this.arena.repeated(field.key, arenaOf(field), shape, register, this.copiesOf({ register }));
  }
  /**
   * Returns the number of copies at a place outside of state slots: one for each frame or substep of the run, else 1.
   */
  copiesOf({ register }: Pick<MemoryPlace, 'register'>): number {
    if (register === 'substepOfRun') return this.options.substepsInAll;
    return register === 'frameOfRun' ? this.options.frames : 1;
  }

  #state(places: Places, field: Field, register: Register): MemoryPlace {
    const known = places.states.get(field) ?? new Map<Register, MemoryPlace>();
    let place = known.get(register);
    if (!place) {
      const arena = arenaOf(field);
      const shape = this.shape(field);
      const [other] = known.values();
      place = {
        field: field.key,
        contents: 'values',
        buffer: arena,
        words: shapeWords(shape),
        offset: this.#stateOffset.get(field.key)! + (places === this.#primal ? (this.#slotBase?.[arena] ?? 0) : 0),
        register,
        registerStride: this.stateWords[arena],
        region: other?.region ?? Symbol(field.key),
        shape,
      };
      places.states.set(field, known.set(register, place));
      if (places === this.#primal) this.#slotPlaces.push(place);
    }
    return place;
  }

  /** Reserves memory for copies of all states. Returns the offsets of the first, in words. */
  reserveStates(copies: number): ByArena {
    const { f32, u32 } = this.stateWords;
    return { f32: this.arena.allocate('f32', f32 * copies), u32: this.arena.allocate('u32', u32 * copies) };
  }
  /** Reserves the state slots, once the rest of the arena is laid out. Returns the offsets of slot 0, in words. */
  reserveSlots(count: number): ByArena {
    if (this.#slotBase !== null) throw defect('state slots reserved twice');
    const base = this.reserveStates(count);
    for (const place of this.#slotPlaces) place.offset += base[place.buffer];
    this.#slotBase = base;
    return base;
  }

  #adjointBase: number | null = null;
  /** Returns the offset of the two copies of the states' adjoints, in words. */
  adjointSlots(): number {
    this.#adjointBase ??= this.arena.allocate('f32', this.stateWords.f32 * 2);
    return this.#adjointBase;
  }
  stateOffset(field: Field): number {
    return this.#stateOffset.get(field.key)!;
  }

  readonly #adjoints = new Set<MemoryPlace>();
  /** Returns whether a place was allocated for an adjoint. */
  isAdjoint(place: MemoryPlace): boolean {
    return this.#adjoints.has(place);
  }

  adjoint(version: Version): MemoryPlace {
    const place = this.#placeOfAdjoint(version);
    this.#adjoints.add(place);
    return place;
  }
  #placeOfAdjoint(version: Version): MemoryPlace {
    const { field, cycle, number } = version;
    const end = endOfRound(version);
    if (end) return this.rounds(version.loop!).adjoint(this.arena, field, end);
    if (version.loop) return this.#temporary(this.#adjoint, version);
    const role = this.roles.get(field.key)!;
    const state = (register: Register): MemoryPlace => {
      const known = this.#adjoint.states.get(field)?.has(register);
      const place = this.#state(this.#adjoint, field, register);
      if (!known) place.offset += this.adjointSlots();
      return place;
    };
    switch (role) {
      case 'input':
        return this.inputAdjoint(field);
      case 'derived':
        if (cycle === 'setup' && number === 0) return this.inputAdjoint(field);
        if (cycle !== 'setup' || this.isLast(version)) return this.#remember(this.#adjoint.made, field, field);
        break;
      case 'state':
        if (cycle === 'setup' && number === 0) return this.inputAdjoint(field);
        if (cycle === 'setup' && this.isLast(version)) return state('adjointOut');
        if (cycle === 'frame' || (cycle === 'physics' && number === 0)) return state('adjointIn');
        if (cycle === 'physics' && this.isLast(version)) return state('adjointOut');
        break;
      case 'frame':
        if (this.options.record.has(field.key) && this.isLast(version)) return this.#recorded(this.#adjoint, field);
        break;
      default:
    }
    return this.#temporary(this.#adjoint, version);
  }
  /**
   * Returns the place of an input's adjoint, with a copy for each world even if all worlds share the input: their
   * gradients are summed when read.
   */
  inputAdjoint(field: Field): MemoryPlace {
    const shape = { ...this.shape(field), worlds: this.options.worlds };
    const place = this.#remember(this.#adjoint.given, field, field, shape);
    this.#adjoints.add(place);
    return place;
  }

  /** Returns the slots of the values that a loop carries from round to round. */
  rounds(loop: Loop): Rounds {
    return this.#rounds.get(loop)!;
  }
  readonly #rounds: ReadonlyMap<Loop, Rounds>;

  /**
   * Returns the places of adjoints of inputs and of fields that setup or a search computes; they accumulate over the
   * whole backward run.
   */
  inputAdjoints(): MemoryPlace[] {
    const { given, made } = this.#adjoint;
    return [...given.values(), ...made.values()];
  }
  /** Returns the places of adjoints of recorded fields, which accumulate within a frame. */
  recordedAdjoints(): MemoryPlace[] {
    return [...this.#adjoint.recorded.values()];
  }

  /** Number of tangents (directions of forward mode) of each value. */
  get tangents(): number {
    return this.options.tangents;
  }
  /** Returns the place of one tangent of a primal place. */
  tangent(place: MemoryPlace, column = 0): MemoryPlace {
    const twins = this.#tangent.get(place) ?? this.#placeTangents(place);
    this.#tangent.set(place, twins);
    return twins[column];
  }
  #placeTangents(place: MemoryPlace): MemoryPlace[] {
    const columns = [...Array(this.tangents).keys()];
    const rounds = [...this.#rounds.values()].find((r) => r.has(place));
    if (rounds) return rounds.tangents(this.arena, place, this.tangents);
    if (place.register === 'stateIn' || place.register === 'stateOut') {
      const words = this.stateWords.f32 * 2;
      this.#tangentBase ??= this.arena.allocate('f32', words * this.tangents);
      // Tangents are placed before the state slots are, while offsets of states still count from the slot's start.
      if (this.#slotBase !== null) throw defect('a tangent of a state was placed after the state slots');
      const base = this.#tangentBase + place.offset;
      return columns.map((c) => ({ ...place, offset: base + c * words }));
    }
    if (place.block)
      return columns.map(() => this.arena.temporary(place.field, place.buffer, place.shape, place.contents));
    // Tangents lie one after another, since comparisons read them all.
    const region = place.region && Symbol(place.field);
    const words = this.wordsOfTangent(place);
    const first = this.arena.allocate('f32', words * this.tangents);
    return columns.map((c) => ({ ...place, region, offset: first + c * words }));
  }
  /** Returns the stride between tangents of a place that lives as long as the simulation, in words. */
  wordsOfTangent(place: MemoryPlace): number {
    return Math.ceil(((place.registerStride ?? place.words) * this.copiesOf(place)) / 4) * 4;
  }
  #tangentBase: number | null = null;
}
