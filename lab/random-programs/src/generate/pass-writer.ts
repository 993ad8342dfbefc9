import type { Cycle, Phase } from '@gradsim/core';
import type { DrawnField, Fields } from '../program/fields.ts';
import type { AdjointSpec, KernelSpec, KernelUse, PassSpec, PassTree, PortSpec, Type } from '../program/program.ts';
import { isFloat } from '../program/program.ts';
import { portKey, usesIn } from '../program/tree.ts';
import type { Random } from '../random.ts';
import type { DrawnKernel, Kept } from './kernel-writer.ts';
import { KernelWriter } from './kernel-writer.ts';

/** List of passes that is being generated: of a phase, or of a group in it. */
interface Site {
  readonly phase: Phase;
  readonly cycle: Cycle;
  /** Number of enclosing loops, and (`rounds`) how many times in total these run what is drawn here. */
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
  /** Uses of kernels that add to a field, by the field's key. */
  readonly adders = new Map<string, KernelUse[]>();
  readonly #writer: KernelWriter;
  /** Number of times that the passes of each cycle run. */
  readonly #runs: Readonly<Record<Cycle, number>>;
  #site!: Site;
  #groups = 0;

  readonly #drawGroup: (writer: PassWriter) => boolean;

  /** @param drawGroup draws a loop, block or product; returns false if it could not. */
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

  /** Draws one pass of a phase, or two that belong together. */
  draw(phase: Phase, cycle: Cycle): void {
    const list: PassTree[] = [];
    this.#site = { phase, cycle, loops: 0, rounds: 1, list };
    this.fields.list = phase;
    this.drawPass();
    this.passes.push(...list.map((pass) => ({ phase, pass })));
  }

  /** Returns the passes that `draw` draws, for a loop of `rounds` rounds. */
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

  /** Maximum number of rounds of a loop drawn here: a run of many rounds is slow, and its derivatives are large. */
  get mostRounds(): number {
    const { cycle, rounds } = this.#site;
    return Math.max(2, Math.min(6, Math.floor(40 / (this.#runs[cycle] * rounds))));
  }

  push(tree: PassTree): void {
    this.#site.list.push(tree);
  }

  /** Registers a kernel, and returns its use in a pass. */
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

  /** Picks a domain, the first one more often, so that more passes use the same fields. */
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

  /** Draws a kernel with a hand-written adjoint: it reads floats and writes one field of floats. */
  drawWriting(domain: string, adjoint: AdjointSpec, kept?: Kept): DrawnKernel {
    const { phase, cycle } = this.#site;
    return this.#writer.draw({ phase, cycle, domain }, adjoint, kept, 'write');
  }

  /** Draws a pass whose kernel adds to sums and writes nothing. */
  drawAdding(): void {
    const { phase, cycle } = this.#site;
    this.#put(this.#writer.draw({ phase, cycle, domain: this.domain() }, undefined, undefined, 'add'));
  }

  adjoint(): AdjointSpec {
    return { isSplit: this.random.chance(0.3), isHalved: this.random.chance(0.3) };
  }

  /** Picks an f32 field that a pass can read now; null if there is none. */
  scalarOf(domain: string, cycle: Cycle): DrawnField | null {
    const fitting = this.fields.readable(domain, cycle).filter((f) => f.type === 'f32' && !f.over);
    return fitting.length > 0 ? this.random.pick(fitting) : null;
  }

  /** Returns the use of a kernel of `templates.ts` in a pass. */
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

  /**
   * Draws another use of an earlier kernel, over other fields of the same types if there are any; returns whether it
   * did.
   */
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

  /** Returns whether both use the same kernel with the same fields, whether or not by the same names. */
  #isSame(a: PassTree, b: KernelUse): boolean {
    if (a.kind !== 'kernel' || a.kernel !== b.kernel) return false;
    return this.kernels[a.kernel].ports.every(({ name }) => (a.rename[name] ?? name) === (b.rename[name] ?? name));
  }

  /**
   * Draws a kernel that stores the hyperbolic tangent of a field, and one whose hand-written adjoint reads it from
   * there.
   */
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

  /** Creates a pass that stores the hyperbolic tangent of a field. */
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
