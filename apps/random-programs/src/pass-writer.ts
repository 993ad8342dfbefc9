import type { Cycle, Phase } from '@gradsim/core';
import type { DrawnField, Fields } from './fields.ts';
import type { DrawnKernel, Kept } from './kernel-writer.ts';
import { KernelWriter } from './kernel-writer.ts';
import type { AdjointSpec, KernelSpec, KernelUse, PassSpec, PassTree, PortSpec, Type } from './program.ts';
import { isFloat } from './program.ts';
import type { Random } from './random.ts';
import { portKey, usesIn } from './tree.ts';

/** Place where passes are being drawn: a phase, or a group in it. */
interface Site {
  readonly phase: Phase;
  readonly cycle: Cycle;
  /** Loops around, and how often they run what stands here in all. */
  readonly loops: number;
  readonly rounds: number;
  readonly list: PassTree[];
}

/** Draws the passes of a program, one after another. */
export class PassWriter {
  readonly kernels: KernelSpec[] = [];
  readonly passes: PassSpec[] = [];
  readonly random: Random;
  readonly fields: Fields;
  /** Kernels that add to a field, by its key. */
  readonly adders = new Map<string, KernelUse[]>();
  readonly #writer: KernelWriter;
  /** Number of times that the passes of a cycle run. */
  readonly #runs: Readonly<Record<Cycle, number>>;
  #site!: Site;
  #groups = 0;

  readonly #drawGroup: (writer: PassWriter) => boolean;

  /** @param drawGroup draws passes in a loop, or with a derivative of their own; false where it did not. */
  constructor(
    random: Random,
    fields: Fields,
    duration: number,
    runs: Readonly<Record<Cycle, number>>,
    drawGroup: (writer: PassWriter) => boolean,
  ) {
    this.#drawGroup = drawGroup;
    this.random = random;
    this.fields = fields;
    this.#runs = runs;
    this.#writer = new KernelWriter(random, fields, duration);
  }

  get site(): Site {
    return this.#site;
  }

  /** Draws a pass of a phase, or two that belong together. */
  draw(phase: Phase, cycle: Cycle): void {
    const list: PassTree[] = [];
    this.#site = { phase, cycle, loops: 0, rounds: 1, list };
    this.fields.list = phase;
    this.drawPass();
    this.passes.push(...list.map((pass) => ({ phase, pass })));
  }

  /** The passes that `draw` draws, for a loop of `rounds` rounds. */
  within(rounds: number, draw: () => void): PassTree[] {
    const [site, outer] = [this.#site, this.fields.list];
    const list: PassTree[] = [];
    this.#site = { ...site, loops: site.loops + 1, rounds: site.rounds * rounds, list };
    this.fields.list = `${site.phase}#${this.#groups++}`;
    draw();
    this.#site = site;
    this.fields.list = outer;
    return list;
  }

  /** Rounds that a loop can have here: a run of many is slow, and its derivatives large. */
  get mostRounds(): number {
    const { cycle, rounds } = this.#site;
    return Math.max(2, Math.min(6, Math.floor(40 / (this.#runs[cycle] * rounds))));
  }

  push(tree: PassTree): void {
    this.#site.list.push(tree);
  }

  /** The pass of a kernel. */
  use({ kernel, rename }: DrawnKernel): KernelUse {
    const refers = !kernel.adjoint && kernel.ports.length > 0 && this.random.chance(0.3);
    this.kernels.push(refers ? { ...kernel, refers: rename } : kernel);
    const use: KernelUse = { kind: 'kernel', kernel: this.kernels.length - 1, rename };
    this.#remember(use);
    return use;
  }
  #remember(use: KernelUse): void {
    const kernel = this.kernels[use.kernel];
    for (const port of kernel.ports.filter((p) => p.access === 'add')) {
      const key = portKey(kernel, port, use.rename);
      this.adders.set(key, [...(this.adders.get(key) ?? []), use]);
    }
  }
  #put(drawn: DrawnKernel): void {
    this.push(this.use(drawn));
  }

  /** One domain has more passes than others, so that they have to do with each other. */
  domain(): string {
    const { random, fields } = this;
    return (random.chance(0.4) ? fields.domains[0] : random.pick(fields.domains)).name;
  }

  drawPass(): void {
    const { random } = this;
    const { phase } = this.#site;
    if (phase !== 'search' && random.chance(0.24) && this.#drawGroup(this)) return;
    this.drawKernel();
  }

  drawKernel(given?: string): void {
    const { random } = this;
    const { phase, cycle } = this.#site;
    const domain = given ?? (random.chance(0.08) ? 'world' : this.domain());
    if (domain !== 'world') {
      if (phase === 'search' && random.chance(0.5) && this.#findPartners(domain)) return;
      if (cycle === 'physics' && random.chance(0.5) && this.#pairs(cycle, domain)) return;
      if (cycle === 'physics' && random.chance(0.05) && this.#alarm(domain)) return;
    }
    if (random.chance(0.12) && this.#again(phase, cycle)) return;
    const adjoint = random.chance(0.25) && phase !== 'search' ? this.adjoint() : undefined;
    if (adjoint && random.chance(0.5) && this.#drawSaved(phase, cycle, domain, adjoint)) return;
    this.#put(this.#writer.draw({ phase, cycle, domain }, adjoint));
  }

  /** A kernel that writes one field, floats in, floats out, with an adjoint by hand. */
  drawWriting(domain: string, adjoint: AdjointSpec, kept?: Kept): DrawnKernel {
    const { phase, cycle } = this.#site;
    return this.#writer.draw({ phase, cycle, domain }, adjoint, kept, 'write');
  }

  /** A kernel that adds to sums, and writes nothing. */
  drawAdding(): void {
    const { phase, cycle } = this.#site;
    this.#put(this.#writer.draw({ phase, cycle, domain: this.domain() }, undefined, undefined, 'add'));
  }

  adjoint(): AdjointSpec {
    return { isSplit: this.random.chance(0.3), isHalved: this.random.chance(0.3) };
  }

  /** A field of floats, one a component, that a pass can read now. */
  scalarOf(domain: string, cycle: Cycle): DrawnField | null {
    const fitting = this.fields.readable(domain, cycle).filter((f) => f.type === 'f32' && !f.over);
    return fitting.length > 0 ? this.random.pick(fitting) : null;
  }

  /** A pass of a kernel of `templates.ts`. */
  template(stem: string, domain: string, rename: Readonly<Record<string, string>>): KernelUse {
    const name = this.fields.name(`${stem}_`);
    const body = { params: [], statements: [], results: [] };
    return this.use({ kernel: { name, domain, ports: [], body, gives: [] }, rename });
  }

  #findPartners(domain: string): boolean {
    const x = this.scalarOf(domain, 'search');
    const size = this.fields.size(domain);
    if (!x || size === 0 || this.fields.all.some((f) => f.domain === domain && f.name.startsWith('partner')))
      return false;
    const last = this.fields.name('last');
    this.fields.specs.push({ domain, name: last, type: 'u32', values: Array<number>(size).fill(size - 1) });
    const { name: partner } = this.fields.make(domain, 'partner', 'u32', 'search');
    this.push(this.template('findPartners', domain, { x: x.name, last, partner }));
    return true;
  }

  #pairs(cycle: Cycle, domain: string): boolean {
    const partner = this.fields.all.find((f) => f.domain === domain && f.name.startsWith('partner'));
    const x = this.scalarOf(domain, cycle);
    if (!partner || !x || x.kind === 'table') return false;
    x.isRead = true;
    const { name: y } = this.fields.make(domain, 'y', 'f32', cycle);
    this.push(this.template('pairs', domain, { partner: partner.name, x: x.name, y }));
    return true;
  }

  #alarm(domain: string): boolean {
    const x = this.scalarOf(domain, 'physics');
    if (!x) return false;
    x.isRead = true;
    const alarm = this.fields.name('alarm');
    this.fields.specs.push({ domain, name: alarm, type: 'f32', values: [] });
    this.push(this.template('alarm', domain, { x: x.name, alarm }));
    return true;
  }

  /** A kernel that was drawn before, in another place, over other fields where some of the same type are there. */
  #again(phase: Phase, cycle: Cycle): boolean {
    // Rounds hand on floats alone.
    const canWrite = (type: Type): boolean => isFloat(type) || !this.fields.list.includes('#');
    const plain = [...this.passes.map(({ pass }) => pass), ...this.#site.list]
      .flatMap(usesIn)
      .filter(
        ({ kernel, as }) =>
          as === undefined &&
          this.kernels[kernel].ports.length > 0 &&
          !this.kernels[kernel].adjoint?.saved &&
          this.kernels[kernel].ports.every((p) => p.access !== 'write' || (p.kind === 'own' && canWrite(p.type))),
      );
    if (plain.length === 0 || phase === 'search') return false;
    const pass = this.random.pick(plain);
    const kernel = this.kernels[pass.kernel];
    const rename: Record<string, string> = {};
    const own = (port: PortSpec): string => port.domain ?? (port.kind === 'perWorld' ? 'world' : kernel.domain);
    const read: DrawnField[] = [];
    for (const port of kernel.ports.filter((p) => p.access === 'read')) {
      if (port.kind === 'index' || port.kind === 'indexOn') {
        rename[port.name] = pass.rename[port.name] ?? port.name;
        continue;
      }
      const before = this.fields.find(own(port), pass.rename[port.name] ?? port.name);
      const fitting = this.fields
        .readable(own(port), cycle)
        .filter((f) => f.type === port.type && (f.kind === 'table') === (before?.kind === 'table'));
      if (fitting.length === 0) return false;
      const field = this.random.pick(fitting);
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
          ? this.fields.sum(own(port), port.type, phase, cycle)
          : this.fields.target(own(port), port.type, cycle, taken);
      taken.push(made);
      rename[port.name] = made.name;
    }
    const use: KernelUse = { kind: 'kernel', kernel: pass.kernel, rename };
    const beside = this.passes.filter((other) => other.phase === phase).map((other) => other.pass);
    if ([...beside, ...this.#site.list].some((other) => this.#isSame(other, use))) return false;
    this.#remember(use);
    this.push(use);
    return true;
  }

  /** True if both run one kernel over the same fields, however they name them. */
  #isSame(a: PassTree, b: KernelUse): boolean {
    if (a.kind !== 'kernel' || a.kernel !== b.kernel) return false;
    return this.kernels[a.kernel].ports.every(({ name }) => (a.rename[name] ?? name) === (b.rename[name] ?? name));
  }

  /** A kernel that keeps the hyperbolic tangent of a field, and one whose adjoint reads it there. */
  #drawSaved(phase: Phase, cycle: Cycle, domain: string, adjoint: AdjointSpec): boolean {
    const source = this.scalarOf(domain, cycle);
    if (!source) return false;
    source.isRead = true;
    // Often a field that was written before: the adjoint finds its last version.
    const saved = this.fields.target(domain, 'f32', cycle, [source]);
    this.push(this.keep(domain, { source, saved }));
    this.#put(this.#writer.draw({ phase, cycle, domain }, adjoint, { source, saved }));
    return true;
  }

  /** A pass that keeps the hyperbolic tangent of a field. */
  keep(domain: string, { source, saved }: Kept): KernelUse {
    const kernel: KernelSpec = {
      name: this.fields.name('keep'),
      domain,
      ports: [
        { name: 'x', access: 'read', kind: 'own', type: 'f32' },
        { name: 'kept', access: 'write', kind: 'own', type: 'f32' },
      ],
      body: {
        params: [],
        statements: [
          { id: 0, type: 'f32', op: 'load', args: [], port: 'x' },
          { id: 1, type: 'f32', op: 'tanh', args: [0] },
        ],
        results: [],
      },
      gives: [{ port: 'kept', values: [1] }],
    };
    return this.use({ kernel, rename: { x: source.name, kept: saved.name } });
  }
}
