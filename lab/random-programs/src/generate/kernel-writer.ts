import type { Cycle, Phase } from '@gradsim/core';
import type { DrawnField, Fields, Place } from '../program/fields.ts';
import type { AdjointSpec, Gift, KernelSpec, PortSpec, Type } from '../program/program.ts';
import { isFloat } from '../program/program.ts';
import { pruned } from '../program/prune.ts';
import type { Random } from '../random.ts';
import { BodyWriter } from './body.ts';
import type { Known, Readable } from './values.ts';

/** A field (`source`), and the field in which an earlier pass stores its hyperbolic tangent (`saved`). */
export interface Kept {
  readonly source: DrawnField;
  readonly saved: DrawnField;
}

export interface DrawnKernel {
  readonly kernel: KernelSpec;
  readonly rename: Readonly<Record<string, string>>;
}

/** A value loaded by a kernel, with the port and field that it was loaded from. */
interface Loaded {
  readonly readable: Readable & { readonly field: DrawnField };
  readonly known: Known;
}

interface Draft {
  readonly writer: BodyWriter;
  readonly ports: PortSpec[];
  readonly rename: Record<string, string>;
  readonly gives: Gift[];
  readonly taken: DrawnField[];
}

/** Draws random kernels: ports to read, statements, and what is written and added. */
export class KernelWriter {
  readonly #random: Random;
  readonly #fields: Fields;
  /** Duration of the simulated run, s. */
  readonly #duration: number;

  constructor(random: Random, fields: Fields, duration: number) {
    this.#random = random;
    this.#fields = fields;
    this.#duration = duration;
  }

  /** Draws ports to read: of fields, and of the indices to read them at. No port is called `except`. */
  #drawReads(cycle: Cycle, domain: string, isPure: boolean, except?: string) {
    const random = this.#random;
    const ports: PortSpec[] = [];
    const rename: Record<string, string> = {};
    const readables: (Readable & { readonly field: DrawnField })[] = [];
    const indices: Readable[] = [];
    /** Creates a port for the field `name`: named like the field, or by a new name and renamed. */
    const portFor = (name: string, port: Omit<PortSpec, 'name'>): PortSpec => {
      const isTaken = name === except || ports.some((p) => p.name === name);
      const own = isTaken || random.chance(0.4) ? this.#fields.name('r') : name;
      if (own !== name) rename[own] = name;
      const full = { ...port, name: own };
      ports.push(full);
      return full;
    };
    const read = (field: DrawnField, port: Omit<PortSpec, 'name'>): void => {
      field.isRead = true;
      const size = this.#fields.size(field.domain);
      const { grid } = this.#fields.domains.find((d) => d.name === field.domain) ?? {};
      readables.push({ port: portFor(field.name, port), varies: field.kind !== 'table', size, grid, field });
    };
    const fits = (f: DrawnField): boolean => !isPure || isFloat(f.type);
    const late = (list: DrawnField[], most: number): DrawnField[] => {
      const chosen = new Set<DrawnField>();
      for (let k = 0; k < most && list.length > 0; k++) chosen.add(random.pickLate(list));
      return [...chosen];
    };
    for (const f of late(this.#fields.readable(domain, cycle).filter(fits), random.whole(1, 3)))
      read(f, { access: 'read', kind: 'own', type: f.type });
    // States above all: what several passes write and read in turns.
    const states = this.#fields.readable(domain, cycle).filter((f) => f.kind === 'state' && fits(f));
    const more = states.filter((f) => !readables.some(({ field }) => field === f));
    if (more.length > 0 && random.chance(0.6)) {
      const field = random.pick(more);
      read(field, { access: 'read', kind: 'own', type: field.type });
    }
    // The same field under another name.
    if (readables.length > 0 && random.chance(0.08)) {
      const { field } = random.pick(readables);
      read(field, { access: 'read', kind: 'own', type: field.type });
    }
    for (const f of late(this.#fields.readable('world', cycle).filter(fits), random.whole(0, 1)))
      if (domain !== 'world') read(f, { access: 'read', kind: 'perWorld', type: f.type });
    for (const { domain: over, name, target, count } of this.#fields.specs) {
      if (target === undefined || random.chance(0.4)) continue;
      if (name.startsWith('list')) {
        if (this.#fields.size(domain) === 0) continue;
        const port = portFor(name, { access: 'read', kind: 'indexOn', type: 'u32', domain: over, target });
        indices.push({ port, varies: false, size: this.#fields.size(over) });
      } else if (over === domain) {
        const port = portFor(name, { access: 'read', kind: 'index', type: 'u32', target, count });
        indices.push({ port, varies: false, size: this.#fields.size(over) });
      }
    }
    const elsewhere = this.#fields.domains.filter((d) => d.size > 0 && this.#fields.size(domain) > 0);
    for (const { name: other } of elsewhere) {
      for (const f of late(this.#fields.readable(other, cycle).filter(fits), random.whole(0, 2)))
        read(f, { access: 'read', kind: 'on', type: f.type, domain: other });
    }
    return { ports, rename, readables, indices };
  }

  /**
   * Draws a kernel for a pass, and the names of the fields that the pass binds to its ports; with `only`, one that only
   * writes or only adds.
   */
  draw({ phase, cycle, domain }: Place, adjoint?: AdjointSpec, kept?: Kept, only?: 'write' | 'add'): DrawnKernel {
    const random = this.#random;
    const isPure = adjoint !== undefined;
    const writer = new BodyWriter(random, { isPure, duration: this.#duration });
    const { ports, rename, readables, indices } = this.#drawReads(cycle, domain, isPure, kept?.saved.name);
    const entries = indices
      .filter(({ port }) => !isPure || port.kind === 'index')
      .flatMap((readable) => writer.index(readable));
    if (!isPure)
      for (const { name, size } of this.#fields.domains)
        if (size > 0 && random.chance(0.25)) entries.push(writer.computedIndex(name, size));
    const loaded = readables
      .map((readable) => ({ readable, known: writer.load(readable, entries) }))
      .filter((l): l is Loaded => l.known !== null);
    let full = adjoint;
    if (adjoint && kept) {
      const port = { access: 'read', kind: 'own', type: 'f32', name: this.#fields.name('r') } as const;
      ports.push(port);
      rename[port.name] = kept.source.name;
      const known = writer.load({ port, varies: true, size: this.#fields.size(domain) })!;
      writer.tanhOf(known.id);
      full = { ...adjoint, saved: { port: port.name, field: kept.saved.name } };
    }
    writer.draw(random.whole(2, 9));
    const gives: Gift[] = [];
    const taken: DrawnField[] = [];
    // What the kernel writes itself would be read instead.
    if (kept) taken.push(kept.saved);
    const outputs = isPure ? 1 : random.whole(1, 2);
    for (let k = 0; k < outputs; k++) {
      const canAdd = phase !== 'search' && phase !== 'setup' ? random.chance(0.4) : random.chance(0.15);
      if (only ? only === 'add' : canAdd && phase !== 'search')
        this.#add(phase, cycle, domain, { writer, ports, rename, gives, entries, taken, isPure });
      else this.#write(cycle, domain, { writer, ports, rename, gives, loaded, taken, isPure });
    }
    const body = { params: [], statements: writer.statements, results: [] };
    const kernel = pruned({ name: this.#fields.name('k'), domain, ports, body, gives, adjoint: full });
    const isPort = (name: string): boolean => kernel.ports.some((port) => port.name === name);
    return { kernel, rename: Object.fromEntries(Object.entries(rename).filter(([name]) => isPort(name))) };
  }

  #add(
    phase: Phase,
    cycle: Cycle,
    domain: string,
    draft: Draft & { readonly entries: readonly Known[]; readonly isPure: boolean },
  ): void {
    const random = this.#random;
    const { writer, ports, rename, gives, isPure, taken } = draft;
    if (this.#addToNodes(phase, cycle, domain, draft)) return;
    const at = this.#indexToAddAt(domain, draft);
    const isWorld = at === null && domain !== 'world' && random.chance(0.5);
    const target = at ? at.target : isWorld ? 'world' : domain;
    const type = this.#fields.type();
    const sum = this.#fields.sum(target, type, phase, cycle);
    taken.push(sum);
    const name = this.#fields.name('w');
    rename[name] = sum.name;
    const kind = at ? 'on' : isWorld ? 'perWorld' : 'own';
    ports.push({ name, access: 'add', kind, type, ...(at ? { domain: target } : {}) });
    for (let k = random.chance(0.3) && gives.length === 0 ? 2 : 1; k > 0; k--)
      gives.push({
        port: name,
        values: [writer.result(type).id],
        ...(at ? { at: at.id, size: this.#fields.size(target) } : {}),
        ...(isPure ? {} : { within: writer.around() }),
      });
  }

  /** Draws an addition to the nodes near a point, at times, where there is a grid; returns whether it did. */
  #addToNodes(
    phase: Phase,
    cycle: Cycle,
    domain: string,
    { writer, ports, rename, gives, taken, isPure }: Draft & { readonly isPure: boolean },
  ): boolean {
    const random = this.#random;
    const { name: target, grid } = this.#fields.domains.find((d) => d.grid) ?? {};
    if (!target || !grid || isPure || this.#fields.size(domain) === 0 || !random.chance(0.4)) return false;
    const type = this.#fields.type();
    const sum = this.#fields.sum(target, type, phase, cycle);
    taken.push(sum);
    const name = this.#fields.name('w');
    rename[name] = sum.name;
    ports.push({ name, access: 'add', kind: 'on', type, domain: target });
    const { point, ...use } = writer.pointNear(grid);
    const near = { grid, ...use, point: point.id };
    gives.push({ port: name, values: [writer.result(type).id], near, within: writer.around() });
    return true;
  }

  /** Draws the index of an addition, known before the run or only at run time; null for the own element. */
  #indexToAddAt(
    domain: string,
    { writer, entries, isPure }: Draft & { readonly entries: readonly Known[]; readonly isPure: boolean },
  ): { readonly id: number; readonly target: string } | null {
    const random = this.#random;
    const targets = this.#fields.domains.filter(({ size }) => size > 0);
    if (!isPure && targets.length > 0 && this.#fields.size(domain) > 0 && random.chance(0.3)) {
      const { name, size } = random.pick(targets);
      return { id: writer.foundIndex(size).id, target: name };
    }
    if (entries.length === 0 || !random.chance(0.7)) return null;
    const { id, target } = random.pick(entries);
    return { id, target: target! };
  }

  #write(
    cycle: Cycle,
    domain: string,
    draft: Draft & { readonly loaded: readonly Loaded[]; readonly isPure: boolean },
  ): void {
    const random = this.#random;
    const { writer, ports, rename, gives, taken, loaded } = draft;
    const isInGroup = this.#fields.list.includes('#');
    if (cycle === 'search') {
      this.#writeFound(domain, draft);
      return;
    }
    const { isPure } = draft;
    if (!isPure && domain !== 'world' && this.#fields.size(domain) > 0 && random.chance(0.12)) {
      this.#writeList('f32', cycle, domain, draft, () => writer.result('f32').id);
      return;
    }
    // Rounds hand on floats alone.
    const isFloats = isPure || isInGroup;
    const isWhole = !isFloats && cycle !== 'physics' && random.chance(0.1) && gives.length > 0;
    const type = isWhole ? 'u32' : this.#typeToWrite(cycle, domain, loaded, isFloats);
    const field = this.#fields.target(domain, type, cycle, taken);
    taken.push(field);
    // A field read and written under one name, or written under another.
    const own = loaded.find(({ readable: { port, field: read } }) => read === field && port.kind === 'own');
    const canShare = own && !ports.some((p) => p.access !== 'read' && p.name === own.readable.port.name);
    const name = canShare && random.chance(0.7) ? own.readable.port.name : this.#fields.name('w');
    if (name !== own?.readable.port.name) rename[name] = field.name;
    ports.push({ name, access: 'write', kind: 'own', type });
    const made = writer.result(type);
    const result = isInGroup && isFloat(type) && random.chance(0.3) ? writer.byRound(made) : made;
    const value = own && isFloat(type) && random.chance(0.8) ? writer.step(own.known, result) : result;
    gives.push({ port: name, values: [value.id] });
  }

  /** Draws the type of a field to write, usually one in use: that of a state, or of a loaded value. */
  #typeToWrite(cycle: Cycle, domain: string, loaded: readonly Loaded[], isPure: boolean): Type {
    const random = this.#random;
    const states = this.#fields.all.filter(
      (f) => f.domain === domain && f.kind === 'state' && !f.sumOf && (!isPure || isFloat(f.type)),
    );
    if (cycle === 'physics' && states.length > 0 && random.chance(0.6)) return random.pick(states).type;
    const own = loaded.filter(({ readable: { port } }) => port.kind === 'own' && isFloat(port.type));
    return own.length > 0 && random.chance(0.5) ? random.pick(own).readable.port.type : this.#fields.type();
  }

  /** Draws an output of the phase search: integers, one per element or a list. */
  #writeFound(domain: string, draft: Draft): void {
    const { writer, ports, rename, gives } = draft;
    if (this.#random.chance(0.33) || this.#fields.size(domain) === 0 || domain === 'world') {
      const name = this.#fields.name('w');
      rename[name] = this.#fields.make(domain, 'f', 'u32', 'search').name;
      ports.push({ name, access: 'write', kind: 'own', type: 'u32' });
      gives.push({ port: name, values: [writer.found().id] });
      return;
    }
    this.#writeList('u32', 'search', domain, draft, () => writer.found().id);
  }

  /** Draws an output of a list of two or three values per element, in a domain of its own. */
  #writeList(
    type: 'u32' | 'f32',
    cycle: Cycle,
    domain: string,
    { ports, rename, gives }: Draft,
    value: () => number,
  ): void {
    const count = this.#random.whole(2, 3);
    const name = this.#fields.name('w');
    const list = { name: this.#fields.name('l'), size: this.#fields.size(domain) * count };
    this.#fields.domains.push({ ...list, elementsTogether: false, componentsTogether: false });
    rename[name] = this.#fields.make(list.name, type === 'u32' ? 'f' : 'm', type, cycle).name;
    ports.push({ name, access: 'write', kind: 'several', type, domain: list.name, count });
    gives.push({ port: name, values: Array.from({ length: count }, value) });
  }
}
