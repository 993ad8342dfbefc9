import type { Cycle, Phase } from '@gradsim/core';
import type { Known, Readable } from './body.ts';
import { BodyWriter } from './body.ts';
import { buildProgram } from './build.ts';
import type {
  AdjointSpec,
  DomainSpec,
  FieldSpec,
  Gift,
  KernelSpec,
  PassSpec,
  PortSpec,
  Program,
  RunSpec,
  Type,
} from './program.ts';
import { COMPONENTS, FLOATS, isFloat, keyOf } from './program.ts';
import { pruned } from './prune.ts';
import { Random } from './random.ts';

const PHASES: readonly (readonly [Phase, Cycle])[] = [
  ['setup', 'setup'],
  ['search', 'search'],
  ['control', 'physics'],
  ['force', 'physics'],
  ['integrate', 'physics'],
  ['pose', 'frame'],
  ['render', 'frame'],
  ['observe', 'frame'],
];

/** What a field is for, as far as passes go. */
type Kind =
  /** Never written. */
  | 'input'
  /** Never written, and no parameter. */
  | 'table'
  | 'state'
  /** Made in each substep, or frame, or once. */
  | 'made';

interface FieldState {
  readonly domain: string;
  readonly name: string;
  readonly type: Type;
  readonly kind: Kind;
  readonly isDeclared: boolean;
  readonly over?: 'frame' | 'substep';
  /** The cycle that makes it. */
  readonly cycle?: Cycle;
  /** Whether it is a sum: the phase of its additions. */
  sumOf?: Phase;
  /** Whether a pass has written it in the cycle that is drawn now, or added to it. */
  isWritten: boolean;
  /** Whether a pass of the phase that is drawn now has read the sum. */
  isRead: boolean;
}

/** Draws a program of 2 to 8 kernels; the same for the same seed on every machine. */
export function generateProgram(seed: number): Program {
  return new Generator(new Random(seed)).program();
}

class Generator {
  readonly #random: Random;
  readonly #domains: DomainSpec[] = [];
  readonly #fields: FieldSpec[] = [];
  readonly #state: FieldState[] = [];
  readonly #kernels: KernelSpec[] = [];
  readonly #passes: PassSpec[] = [];
  #names = 0;
  #timeline = { frames: 2, frameRate: 2, substeps: 2, worlds: 1 };

  constructor(random: Random) {
    this.#random = random;
  }

  program(): Program {
    const random = this.#random;
    this.#timeline = {
      frames: random.pick([1, 2, 2, 3, 4]),
      frameRate: random.pick([1, 2, 4]),
      substeps: random.pick([1, 2, 3, 5]),
      worlds: random.pick([1, 1, 2, 3]),
    };
    this.#drawDomains();
    this.#drawFields();
    this.#drawPasses();
    const program: Program = {
      domains: this.#domains,
      fields: this.#fields,
      kernels: this.#kernels,
      passes: this.#passes,
      run: {
        ...this.#timeline,
        memory: random.chance(0.4) ? 0 : 256e6,
        searchEvery: random.whole(1, 4),
        parameters: [],
        record: [],
        outputs: [],
      },
    };
    return { ...program, run: { ...program.run, ...this.#ends(program) } };
  }

  #name(stem: string): string {
    return `${stem}${this.#names++}`;
  }

  #drawDomains(): void {
    const random = this.#random;
    for (const name of ['a', 'b', 'c'].slice(0, random.whole(1, 3)))
      this.#domains.push({
        name,
        // Several sizes around a vector's width; now and then none, and more than one round of a reduction.
        size: random.chance(0.03) && name !== 'a' ? 0 : random.chance(0.04) ? 70 : random.whole(1, 7),
        elementsTogether: random.chance(0.3),
        componentsTogether: random.chance(0.3),
      });
  }

  #size(domain: string): number {
    return domain === 'world' ? 1 : this.#domains.find((d) => d.name === domain)!.size;
  }

  #type(): Type {
    return this.#random.chance(0.55) ? 'f32' : this.#random.pick(FLOATS);
  }

  #drawFields(): void {
    const random = this.#random;
    for (const { name: domain } of this.#domains) {
      for (let k = random.whole(1, 2); k > 0; k--) this.#declare(domain, 'x', this.#type(), 'state');
      for (let k = random.whole(1, 2); k > 0; k--) {
        const over = random.pick([undefined, undefined, 'frame', 'substep'] as const);
        this.#declare(domain, 'p', this.#type(), 'input', { over });
      }
      if (random.chance(0.5))
        this.#declare(domain, 't', this.#type(), 'table', { shared: random.chance(0.5) });
      if (random.chance(0.3)) this.#declare(domain, 'n', random.pick(['u32', 'i32']), 'table');
      if (random.chance(0.3)) this.#reserveSum(domain);
    }
    if (random.chance(0.2)) this.#reserveSum('world');
    if (random.chance(0.6))
      this.#declare('world', 'g', this.#type(), random.pick(['input', 'state'] as const));
    for (const { name: domain, size } of this.#domains) {
      for (const { name: target, size: targets } of this.#domains) {
        if (size === 0 || targets === 0 || random.chance(0.45)) continue;
        const isList = random.chance(0.2);
        const count = isList ? 1 : random.whole(1, 3);
        const values = Array.from({ length: size * count }, () => random.whole(0, targets - 1));
        const name = this.#name(isList ? 'list' : 'ends');
        this.#fields.push({ domain, name, type: 'u32', values, target, count });
      }
    }
  }

  #declare(domain: string, stem: string, type: Type, kind: Kind, extra: Partial<FieldSpec> = {}): FieldState {
    const random = this.#random;
    const count = this.#size(domain) * COMPONENTS[type];
    const values = Array.from({ length: count }, () =>
      isFloat(type) ? Math.fround(random.between(-1.5, 1.5)) : random.whole(0, 9),
    );
    const name = this.#name(stem);
    this.#fields.push({ domain, name, type, values, ...extra });
    return this.#remember({ domain, name, type, kind, isDeclared: true, over: extra.over });
  }

  #remember(field: Omit<FieldState, 'isWritten' | 'isRead'>): FieldState {
    const state = { ...field, isWritten: false, isRead: false };
    this.#state.push(state);
    return state;
  }

  #drawPasses(): void {
    const random = this.#random;
    const count = random.whole(2, 8);
    const drawn = Array.from({ length: count }, () => random.whole(0, PHASES.length - 1));
    // Something moves, and most programs are seen.
    drawn[0] = random.whole(2, 4);
    if (random.chance(0.7)) drawn[1] = random.whole(5, 7);
    let before: Phase | null = null;
    let cycleBefore: Cycle | null = null;
    for (const position of drawn.sort((a, b) => a - b)) {
      const [phase, cycle] = PHASES[position];
      if (phase !== before) for (const field of this.#state) field.isRead = false;
      if (cycle !== cycleBefore)
        for (const field of this.#state) field.isWritten = field.cycle === cycle && field.isWritten;
      [before, cycleBefore] = [phase, cycle];
      this.#drawPass(phase, cycle);
    }
  }

  #drawPass(phase: Phase, cycle: Cycle): void {
    const random = this.#random;
    const domain = random.chance(0.08) ? 'world' : random.pick(this.#domains).name;
    if (domain !== 'world') {
      if (phase === 'search' && random.chance(0.5) && this.#findPartners(domain)) return;
      if (cycle === 'physics' && random.chance(0.5) && this.#pairs(phase, cycle, domain)) return;
      if (cycle === 'physics' && random.chance(0.05) && this.#alarm(phase, domain)) return;
    }
    if (random.chance(0.12) && this.#again(phase, cycle)) return;
    const adjoint = random.chance(0.25) && phase !== 'search' ? this.#adjoint() : undefined;
    if (adjoint && random.chance(0.5) && this.#drawSaved(phase, cycle, domain, adjoint)) return;
    this.#drawKernel(phase, cycle, domain, adjoint);
  }

  #adjoint(): AdjointSpec {
    return { isSplit: this.#random.chance(0.3), isHalved: this.#random.chance(0.3) };
  }

  // Templates.

  /** A field of floats, one a component, that a pass can read now. */
  #scalarOf(domain: string, cycle: Cycle, phase: Phase): FieldState | null {
    const fitting = this.#readable(domain, cycle, phase).filter((f) => f.type === 'f32' && !f.over);
    return fitting.length > 0 ? this.#random.pick(fitting) : null;
  }

  #template(stem: string, phase: Phase, domain: string, rename: Readonly<Record<string, string>>): void {
    const name = this.#name(`${stem}_`);
    this.#kernels.push({
      name,
      domain,
      ports: [],
      body: { params: [], statements: [], results: [] },
      gives: [],
    });
    this.#passes.push({ phase, kernel: this.#kernels.length - 1, rename });
  }

  #findPartners(domain: string): boolean {
    const x = this.#scalarOf(domain, 'search', 'search');
    const size = this.#size(domain);
    if (!x || size === 0 || this.#state.some((f) => f.domain === domain && f.name.startsWith('partner')))
      return false;
    const last = this.#name('last');
    this.#fields.push({ domain, name: last, type: 'u32', values: Array<number>(size).fill(size - 1) });
    const { name: partner } = this.#make(domain, 'partner', 'u32', 'search');
    this.#template('findPartners', 'search', domain, { x: x.name, last, partner });
    return true;
  }

  #pairs(phase: Phase, cycle: Cycle, domain: string): boolean {
    const partner = this.#state.find((f) => f.domain === domain && f.name.startsWith('partner'));
    const x = this.#scalarOf(domain, cycle, phase);
    if (!partner || !x || x.kind === 'table') return false;
    x.isRead = true;
    const { name: y } = this.#make(domain, 'y', 'f32', cycle);
    this.#template('pairs', phase, domain, { partner: partner.name, x: x.name, y });
    return true;
  }

  #alarm(phase: Phase, domain: string): boolean {
    const x = this.#scalarOf(domain, 'physics', phase);
    if (!x) return false;
    x.isRead = true;
    const alarm = this.#name('alarm');
    this.#fields.push({ domain, name: alarm, type: 'f32', values: [] });
    this.#template('alarm', phase, domain, { x: x.name, alarm });
    return true;
  }

  /** A kernel that was drawn before, in another place, over other fields where some of the same type are there. */
  #again(phase: Phase, cycle: Cycle): boolean {
    const plain = this.#passes.filter(
      ({ kernel }) =>
        this.#kernels[kernel].ports.length > 0 &&
        !this.#kernels[kernel].adjoint?.saved &&
        this.#kernels[kernel].ports.every((p) => p.access !== 'write' || p.kind === 'own'),
    );
    if (plain.length === 0 || phase === 'search') return false;
    const pass = this.#random.pick(plain);
    const kernel = this.#kernels[pass.kernel];
    const rename: Record<string, string> = {};
    const own = (port: PortSpec): string =>
      port.domain ?? (port.kind === 'perWorld' ? 'world' : kernel.domain);
    const read: FieldState[] = [];
    for (const port of kernel.ports.filter((p) => p.access === 'read')) {
      if (port.kind === 'index' || port.kind === 'indexOn') {
        rename[port.name] = pass.rename[port.name] ?? port.name;
        continue;
      }
      const before = this.#find(own(port), pass.rename[port.name] ?? port.name);
      const fitting = this.#readable(own(port), cycle, phase).filter(
        (f) => f.type === port.type && (f.kind === 'table') === (before?.kind === 'table'),
      );
      if (fitting.length === 0) return false;
      const field = this.#random.pick(fitting);
      read.push(field);
      rename[port.name] = field.name;
    }
    const outputs = kernel.ports.filter((p) => p.access !== 'read');
    // A port that is both read and written keeps one name, so its fields must be one.
    if (outputs.some((p) => p.name in rename)) return false;
    for (const field of read) field.isRead = true;
    const taken = [...read];
    for (const port of outputs) {
      const made =
        port.access === 'add'
          ? this.#sum(own(port), port.type, phase, cycle)
          : this.#target(own(port), port.type, cycle, taken);
      taken.push(made);
      rename[port.name] = made.name;
    }
    this.#passes.push({ phase, kernel: pass.kernel, rename });
    return true;
  }

  #find(domain: string, name: string): FieldState | undefined {
    return this.#state.find((f) => f.domain === domain && f.name === name);
  }

  // Fields that a pass can read, write and add to.

  #readable(domain: string, cycle: Cycle, phase: Phase): FieldState[] {
    return this.#state.filter((f) => f.domain === domain && this.#canRead(f, cycle, phase));
  }

  #canRead(f: FieldState, cycle: Cycle, phase: Phase): boolean {
    // Sums are there once all passes of their phase have added to them, or as the substep before left them.
    if (f.sumOf === phase && !f.isWritten) return false;
    if (f.over && (cycle === 'setup' || (cycle === 'frame' && f.over === 'substep'))) return false;
    if (f.kind !== 'made') return true;
    switch (f.cycle) {
      case 'setup':
        return cycle !== 'setup' || f.isWritten;
      case 'search':
        return cycle === 'physics' || (cycle === 'search' && f.isWritten);
      case 'physics':
        return cycle === 'physics' && f.isWritten;
      default:
        return cycle === 'frame' && f.isWritten;
    }
  }

  #make(domain: string, stem: string, type: Type, cycle: Cycle): FieldState {
    const field = this.#remember({
      domain,
      name: this.#name(stem),
      type,
      kind: 'made',
      isDeclared: false,
      cycle,
    });
    field.isWritten = true;
    return field;
  }

  /** A field to write: one that is there, or a new one. */
  #target(domain: string, type: Type, cycle: Cycle, taken: readonly FieldState[]): FieldState {
    const fitting = this.#state.filter(
      (f) =>
        f.domain === domain &&
        f.type === type &&
        f.sumOf === undefined &&
        !taken.includes(f) &&
        ((f.kind === 'state' && (cycle === 'setup' || cycle === 'physics')) ||
          (f.kind === 'made' && f.cycle === cycle && !f.name.startsWith('partner'))),
    );
    if (fitting.length > 0 && this.#random.chance(0.75)) {
      const field = this.#random.pick(fitting);
      field.isWritten = true;
      return field;
    }
    return this.#make(domain, 'm', type, cycle);
  }

  /** A sum to add to: one that is open in this phase, or a new one. */
  #sum(domain: string, type: Type, phase: Phase, cycle: Cycle): FieldState {
    const open = this.#state.filter(
      (f) => f.domain === domain && f.type === type && f.sumOf === phase && f.cycle === cycle && !f.isRead,
    );
    if (open.length > 0 && this.#random.chance(0.6)) {
      open[0].isWritten = true;
      return open[0];
    }
    const field = this.#make(domain, 's', type, cycle);
    field.sumOf = phase;
    return field;
  }

  /** A sum that is declared is a state: passes before the additions find what the substep before left. */
  #reserveSum(domain: string): void {
    const sumOf = this.#random.pick(['control', 'force', 'integrate'] as const);
    const field = this.#declare(domain, 's', this.#type(), 'state');
    this.#state[this.#state.length - 1] = { ...field, cycle: 'physics', sumOf };
  }

  // Kernels.

  /** Draws ports to read: fields with their ports, the indices among them. No port is called `except`. */
  #drawReads(phase: Phase, cycle: Cycle, domain: string, isPure: boolean, except?: string) {
    const random = this.#random;
    const ports: PortSpec[] = [];
    const rename: Record<string, string> = {};
    const readables: (Readable & { readonly field: FieldState })[] = [];
    const indices: Readable[] = [];
    /** A port's own name, or the field's. */
    const portFor = (name: string, port: Omit<PortSpec, 'name'>): PortSpec => {
      const isTaken = name === except || ports.some((p) => p.name === name);
      const own = isTaken || random.chance(0.4) ? this.#name('r') : name;
      if (own !== name) rename[own] = name;
      const full = { ...port, name: own };
      ports.push(full);
      return full;
    };
    const read = (field: FieldState, port: Omit<PortSpec, 'name'>): void => {
      field.isRead = true;
      const size = this.#size(field.domain);
      readables.push({ port: portFor(field.name, port), varies: field.kind !== 'table', size, field });
    };
    const fits = (f: FieldState): boolean => !isPure || isFloat(f.type);
    const late = (list: FieldState[], most: number): FieldState[] => {
      const chosen = new Set<FieldState>();
      for (let k = 0; k < most && list.length > 0; k++) chosen.add(random.pickLate(list));
      return [...chosen];
    };
    for (const f of late(this.#readable(domain, cycle, phase).filter(fits), random.whole(1, 3)))
      read(f, { access: 'read', kind: 'own', type: f.type });
    // The same field under another name.
    if (readables.length > 0 && random.chance(0.08)) {
      const { field } = random.pick(readables);
      read(field, { access: 'read', kind: 'own', type: field.type });
    }
    for (const f of late(this.#readable('world', cycle, phase).filter(fits), random.whole(0, 1)))
      if (domain !== 'world') read(f, { access: 'read', kind: 'perWorld', type: f.type });
    for (const { domain: over, name, target, count } of this.#fields) {
      if (target === undefined || random.chance(0.4)) continue;
      if (name.startsWith('list')) {
        if (this.#size(domain) === 0) continue;
        const port = portFor(name, { access: 'read', kind: 'indexOn', type: 'u32', domain: over, target });
        indices.push({ port, varies: false, size: this.#size(over) });
      } else if (over === domain) {
        const port = portFor(name, { access: 'read', kind: 'index', type: 'u32', target, count });
        indices.push({ port, varies: false, size: this.#size(over) });
      }
    }
    const elsewhere = this.#domains.filter((d) => d.size > 0 && this.#size(domain) > 0);
    for (const { name: other } of elsewhere) {
      for (const f of late(this.#readable(other, cycle, phase).filter(fits), random.whole(0, 2)))
        read(f, { access: 'read', kind: 'on', type: f.type, domain: other });
    }
    return { ports, rename, readables, indices };
  }

  /** Draws a kernel with its pass. */
  #drawKernel(phase: Phase, cycle: Cycle, domain: string, adjoint?: AdjointSpec, kept?: Kept): void {
    const random = this.#random;
    const isPure = adjoint !== undefined;
    const { frames, frameRate } = this.#timeline;
    const writer = new BodyWriter(random, { isPure, duration: Math.max(1, frames - 1) / frameRate });
    const { ports, rename, readables, indices } = this.#drawReads(
      phase,
      cycle,
      domain,
      isPure,
      kept?.saved.name,
    );
    const entries = indices
      .filter(({ port }) => !isPure || port.kind === 'index')
      .flatMap((readable) => writer.index(readable));
    if (!isPure)
      for (const { name, size } of this.#domains)
        if (size > 0 && random.chance(0.25)) entries.push(writer.computedIndex(name, size));
    const loaded = readables
      .map((readable) => ({ readable, known: writer.load(readable, entries) }))
      .filter((l) => l.known !== null) as { readable: (typeof readables)[number]; known: Known }[];
    let full = adjoint;
    if (adjoint && kept) {
      const port = { access: 'read', kind: 'own', type: 'f32', name: this.#name('r') } as const;
      ports.push(port);
      rename[port.name] = kept.source.name;
      const known = writer.load({ port, varies: true, size: this.#size(domain) })!;
      writer.tanhOf(known.id);
      full = { ...adjoint, saved: { port: port.name, field: kept.saved.name } };
    }
    writer.draw(random.whole(2, 9));
    const gives: Gift[] = [];
    const taken: FieldState[] = readables.filter((r) => r.port.kind === 'on').map((r) => r.field);
    // What the kernel writes itself would be read instead.
    if (kept) taken.push(kept.saved);
    const outputs = isPure ? 1 : random.whole(1, 2);
    for (let k = 0; k < outputs; k++) {
      const canAdd = phase !== 'search' && phase !== 'setup' ? random.chance(0.4) : random.chance(0.15);
      if (canAdd && phase !== 'search')
        this.#add(phase, cycle, domain, { writer, ports, rename, gives, entries, taken });
      else this.#write(cycle, domain, { writer, ports, rename, gives, loaded, taken });
    }
    const body = { params: [], statements: writer.statements, results: [] };
    this.#kernels.push(pruned({ name: this.#name('k'), domain, ports, body, gives, adjoint: full }));
    this.#passes.push({ phase, kernel: this.#kernels.length - 1, rename });
  }

  #add(
    phase: Phase,
    cycle: Cycle,
    domain: string,
    draft: Draft & { readonly entries: readonly Known[] },
  ): void {
    const random = this.#random;
    const { writer, ports, rename, gives, entries, taken } = draft;
    const at = entries.length > 0 && random.chance(0.7) ? random.pick(entries) : null;
    const isWorld = at === null && domain !== 'world' && random.chance(0.5);
    const target = at ? at.target! : isWorld ? 'world' : domain;
    const type = this.#type();
    const sum = this.#sum(target, type, phase, cycle);
    taken.push(sum);
    const name = this.#name('w');
    rename[name] = sum.name;
    const kind = at ? 'on' : isWorld ? 'perWorld' : 'own';
    ports.push({ name, access: 'add', kind, type, ...(at ? { domain: target } : {}) });
    for (let k = random.chance(0.3) && gives.length === 0 ? 2 : 1; k > 0; k--)
      gives.push({ port: name, values: [writer.result(type).id], ...(at ? { at: at.id } : {}) });
  }

  #write(
    cycle: Cycle,
    domain: string,
    draft: Draft & {
      readonly loaded: readonly { readable: Readable & { field: FieldState }; known: Known }[];
    },
  ): void {
    const random = this.#random;
    const { writer, ports, rename, gives, taken, loaded } = draft;
    if (cycle === 'search') {
      this.#writeFound(domain, draft);
      return;
    }
    const isWhole = cycle !== 'physics' && random.chance(0.1) && gives.length > 0;
    const loadedHere = loaded.filter(({ readable: { port } }) => port.kind === 'own');
    const type: Type = isWhole
      ? 'u32'
      : loadedHere.length > 0 && random.chance(0.5)
        ? floatOr(random.pick(loadedHere).readable.port.type)
        : this.#type();
    const field = this.#target(domain, type, cycle, taken);
    taken.push(field);
    // A field read and written under one name, or written under another.
    const own = loaded.find(({ readable: { port, field: read } }) => read === field && port.kind === 'own');
    const canShare = own && !ports.some((p) => p.access !== 'read' && p.name === own.readable.port.name);
    const name = canShare && random.chance(0.7) ? own.readable.port.name : this.#name('w');
    if (name !== own?.readable.port.name) rename[name] = field.name;
    ports.push({ name, access: 'write', kind: 'own', type });
    const result = writer.result(type);
    const value = own && isFloat(type) && random.chance(0.8) ? writer.step(own.known, result) : result;
    gives.push({ port: name, values: [value.id] });
  }

  /** Phase search makes whole numbers, one an element or a list. */
  #writeFound(domain: string, { writer, ports, rename, gives }: Draft): void {
    const count = this.#random.whole(1, 3);
    const name = this.#name('w');
    if (count === 1 || this.#size(domain) === 0 || domain === 'world') {
      rename[name] = this.#make(domain, 'f', 'u32', 'search').name;
      ports.push({ name, access: 'write', kind: 'own', type: 'u32' });
      gives.push({ port: name, values: [writer.result('u32').id] });
      return;
    }
    const list = { name: this.#name('l'), size: this.#size(domain) * count };
    this.#domains.push({ ...list, elementsTogether: false, componentsTogether: false });
    rename[name] = this.#make(list.name, 'f', 'u32', 'search').name;
    ports.push({ name, access: 'write', kind: 'several', type: 'u32', domain: list.name, count });
    gives.push({ port: name, values: Array.from({ length: count }, () => writer.result('u32').id) });
  }

  /** A kernel that keeps the hyperbolic tangent of a field, and one whose adjoint reads it there. */
  #drawSaved(phase: Phase, cycle: Cycle, domain: string, adjoint: AdjointSpec): boolean {
    const source = this.#scalarOf(domain, cycle, phase);
    if (!source) return false;
    source.isRead = true;
    const saved = this.#make(domain, 'kept', 'f32', cycle);
    const read = { name: 'x', access: 'read', kind: 'own', type: 'f32' } as const;
    this.#kernels.push({
      name: this.#name('keep'),
      domain,
      ports: [read, { name: 'kept', access: 'write', kind: 'own', type: 'f32' }],
      body: {
        params: [],
        statements: [
          { id: 0, type: 'f32', op: 'load', args: [], port: 'x' },
          { id: 1, type: 'f32', op: 'tanh', args: [0] },
        ],
        results: [],
      },
      gives: [{ port: 'kept', values: [1] }],
    });
    this.#passes.push({
      phase,
      kernel: this.#kernels.length - 1,
      rename: { x: source.name, kept: saved.name },
    });
    this.#drawKernel(phase, cycle, domain, adjoint, { source, saved });
    return true;
  }

  /** What derivatives are taken of, and with respect to what. */
  #ends(program: Program): Pick<RunSpec, 'parameters' | 'record' | 'outputs'> {
    const random = this.#random;
    const uses = usesOf(program);
    const isShared = (f: FieldState): boolean =>
      this.#timeline.worlds > 1 && this.#fields.some((s) => s.name === f.name && s.shared);
    const some = (from: readonly FieldState[], p: number): string[] => {
      const chosen = random.some(from, p);
      return (chosen.length === 0 && from.length > 0 ? [random.pick(from)] : chosen).map(keyOf);
    };
    const floats = this.#state.filter((f) => isFloat(f.type));
    const states = floats.filter((f) => f.kind === 'state' && uses.written.physics.has(keyOf(f)));
    const parameters = some(
      floats.filter(
        (f) =>
          f.isDeclared &&
          f.kind !== 'table' &&
          !isShared(f) &&
          (states.includes(f) || uses.readOutsideSearch.has(keyOf(f))),
      ),
      0.7,
    );
    const frames = floats.filter((f) => f.kind === 'made' && f.cycle === 'frame');
    const record = some(frames, 0.7);
    const seen = frames.filter((f) => record.includes(keyOf(f)));
    const outputs = [...some(states, 0.8), ...some(seen, 0.9)];
    return { parameters, record, outputs };
  }
}

/** Which fields the passes of a program read and write. */
function usesOf(program: Program) {
  const readOutsideSearch = new Set<string>();
  const written = {
    setup: new Set<string>(),
    search: new Set<string>(),
    physics: new Set<string>(),
    frame: new Set<string>(),
  };
  for (const { phase, kernel, rename } of buildProgram(program).passes) {
    for (const port of kernel.form.ports) {
      const key = `${port.domain || kernel.form.domain}.${rename[port.name] ?? port.name}`;
      if (port.access !== 'read') written[cycleOf(phase)].add(key);
      else if (phase !== 'search') readOutsideSearch.add(key);
    }
  }
  return { readOutsideSearch, written };
}

const floatOr = (type: Type): Type => (isFloat(type) ? type : 'f32');

const cycleOf = (phase: Phase): Cycle => PHASES.find(([name]) => name === phase)![1];

/** A field, and the one that an earlier pass keeps its hyperbolic tangent in. */
interface Kept {
  readonly source: FieldState;
  readonly saved: FieldState;
}

interface Draft {
  readonly writer: BodyWriter;
  readonly ports: PortSpec[];
  readonly rename: Record<string, string>;
  readonly gives: Gift[];
  readonly taken: FieldState[];
}
