import type { Device, Executor } from '../../devices/device.ts';
import type { KernelForm } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';
import type { Chain, ProgramField, Version } from '../chain.ts';
import { passesOf } from '../chain.ts';
import type { AccessRecord } from '../indices/access-records.ts';
import type { IndexReader } from '../indices/incidence.ts';
import { includesNone, plainIndicesOf } from '../indices/incidence.ts';
import { fieldsWithNone } from '../indices/none-fields.ts';
import { fieldKey } from '../jobs/kernel-steps.ts';
import type { MemoryPlace, Shape } from '../memory/places.ts';
import { Arena } from '../memory/places.ts';
import { toWords } from '../memory/value-order.ts';
import type { ForwardSurroundings } from './forward.ts';

/** Places of every version of a chain, its adjoint and its tangent. */
export class ProgramLayout implements ForwardSurroundings<Version> {
  readonly arena = new Arena();
  readonly worlds: number;
  readonly scatters: Device['scatters'];
  readonly accumulatorWords: Device['accumulatorWords'];
  /** Records of additions out of range. */
  readonly accessRecords: AccessRecord[] = [];
  readonly #chain: Chain;
  readonly #indices: ReadonlyMap<string, ArrayLike<number>>;
  readonly #withNone: ReadonlySet<string>;
  readonly #primal = new Map<Version, MemoryPlace>();
  readonly #adjoint = new Map<Version, MemoryPlace>();
  readonly #tangent = new Map<MemoryPlace, MemoryPlace>();

  constructor(
    chain: Chain,
    indices: ReadonlyMap<string, ArrayLike<number>>,
    worlds: number,
    { scatters, accumulatorWords }: Pick<Device, 'scatters' | 'accumulatorWords'>,
  ) {
    this.#chain = chain;
    this.scatters = scatters;
    this.accumulatorWords = accumulatorWords;
    this.#indices = indices;
    const kernels = passesOf(chain).map(({ kernel: { form }, rename }) => ({
      form,
      keyOf: (port: Port) => fieldKey(port, form.domain, rename),
    }));
    // The contents of inputs are not known in advance.
    this.#withNone = fieldsWithNone(kernels, (key) => chain.inputs.has(key) || includesNone(indices.get(key)));
    this.worlds = worlds;
  }

  addAccessRecord(record: AccessRecord): void {
    this.accessRecords.push(record);
  }
  holdsNone(key: string): boolean {
    return this.#withNone.has(key);
  }
  sizeOf(domain: string): number {
    return this.#chain.sizes.get(domain)!;
  }
  describe(domain: string, element: number): string {
    return `element ${element} of ${domain}`;
  }
  worldsInner(): boolean {
    return true;
  }
  indicesOf({ domain }: KernelForm, rename: Readonly<Record<string, string>>): IndexReader {
    return ({ port, component }, element) => {
      const { components } = port as Port;
      return this.#indices.get(fieldKey(port!, domain, rename))![element * components + component!];
    };
  }

  shape({ domain, components, target }: ProgramField): Shape {
    const worlds = target === undefined ? this.worlds : 1;
    return { elements: this.sizeOf(domain), components, worlds, worldsInner: true };
  }

  writeIndices(executor: Executor, version: Version, values: ArrayLike<number>): void {
    const { shape, words, offset } = this.primal(version);
    const block = new Uint32Array(words);
    toWords(shape, values, 0, block);
    if (words > 0) executor.writeU32(offset, block);
  }

  primal(version: Version): MemoryPlace {
    return this.#remember(this.#primal, version);
  }
  adjoint(version: Version): MemoryPlace {
    return this.#remember(this.#adjoint, version);
  }
  readonly tangents = 1;
  /** Returns the place of the tangent of the values at another place. */
  tangent(place: MemoryPlace): MemoryPlace {
    let twin = this.#tangent.get(place);
    if (!twin) {
      const { field, buffer, shape, contents } = place;
      twin = place.block
        ? this.arena.temporary(field, buffer, shape, contents)
        : this.arena.place(field, buffer, shape, contents);
      this.#tangent.set(place, twin);
    }
    return twin;
  }

  #remember(places: Map<Version, MemoryPlace>, version: Version): MemoryPlace {
    let place = places.get(version);
    if (!place) {
      const { field } = version;
      const values = this.#indices.get(field.key);
      place = {
        ...this.arena.place(field.key, field.scalar === 'f32' ? 'f32' : 'u32', this.shape(field)),
        ...(values && { indices: plainIndicesOf(values, field.components) }),
      };
      places.set(version, place);
    }
    return place;
  }
}
