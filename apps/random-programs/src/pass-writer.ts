import type { Cycle, Phase } from '@gradsim/core';
import type { DrawnField, Fields } from './fields.ts';
import type { DrawnKernel } from './kernel-writer.ts';
import { KernelWriter } from './kernel-writer.ts';
import type { AdjointSpec, KernelSpec, PassSpec, PortSpec } from './program.ts';
import type { Random } from './random.ts';

/** Draws the passes of a program, one after another. */
export class PassWriter {
  readonly kernels: KernelSpec[] = [];
  readonly passes: PassSpec[] = [];
  readonly #random: Random;
  readonly #fields: Fields;
  readonly #writer: KernelWriter;

  constructor(random: Random, fields: Fields, duration: number) {
    this.#random = random;
    this.#fields = fields;
    this.#writer = new KernelWriter(random, fields, duration);
  }

  #put(phase: Phase, { kernel, rename }: DrawnKernel): void {
    this.kernels.push(kernel);
    this.passes.push({ phase, kernel: this.kernels.length - 1, rename });
  }

  draw(phase: Phase, cycle: Cycle): void {
    const random = this.#random;
    // One domain has more of them than others, so that passes have to do with each other.
    const [first] = this.#fields.domains;
    const domain = random.chance(0.08)
      ? 'world'
      : (random.chance(0.4) ? first : random.pick(this.#fields.domains)).name;
    if (domain !== 'world') {
      if (phase === 'search' && random.chance(0.5) && this.#findPartners(domain)) return;
      if (cycle === 'physics' && random.chance(0.5) && this.#pairs(phase, cycle, domain)) return;
      if (cycle === 'physics' && random.chance(0.05) && this.#alarm(phase, domain)) return;
    }
    if (random.chance(0.12) && this.#again(phase, cycle)) return;
    const adjoint = random.chance(0.25) && phase !== 'search' ? this.#adjoint() : undefined;
    if (adjoint && random.chance(0.5) && this.#drawSaved(phase, cycle, domain, adjoint)) return;
    this.#put(phase, this.#writer.draw({ phase, cycle, domain }, adjoint));
  }

  #adjoint(): AdjointSpec {
    return { isSplit: this.#random.chance(0.3), isHalved: this.#random.chance(0.3) };
  }

  /** A field of floats, one a component, that a pass can read now. */
  #scalarOf(domain: string, cycle: Cycle, phase: Phase): DrawnField | null {
    const fitting = this.#fields.readable(domain, cycle, phase).filter((f) => f.type === 'f32' && !f.over);
    return fitting.length > 0 ? this.#random.pick(fitting) : null;
  }

  #template(stem: string, phase: Phase, domain: string, rename: Readonly<Record<string, string>>): void {
    const name = this.#fields.name(`${stem}_`);
    const body = { params: [], statements: [], results: [] };
    this.#put(phase, { kernel: { name, domain, ports: [], body, gives: [] }, rename });
  }

  #findPartners(domain: string): boolean {
    const x = this.#scalarOf(domain, 'search', 'search');
    const size = this.#fields.size(domain);
    if (!x || size === 0 || this.#fields.all.some((f) => f.domain === domain && f.name.startsWith('partner')))
      return false;
    const last = this.#fields.name('last');
    this.#fields.specs.push({ domain, name: last, type: 'u32', values: Array<number>(size).fill(size - 1) });
    const { name: partner } = this.#fields.make(domain, 'partner', 'u32', 'search');
    this.#template('findPartners', 'search', domain, { x: x.name, last, partner });
    return true;
  }

  #pairs(phase: Phase, cycle: Cycle, domain: string): boolean {
    const partner = this.#fields.all.find((f) => f.domain === domain && f.name.startsWith('partner'));
    const x = this.#scalarOf(domain, cycle, phase);
    if (!partner || !x || x.kind === 'table') return false;
    x.isRead = true;
    const { name: y } = this.#fields.make(domain, 'y', 'f32', cycle);
    this.#template('pairs', phase, domain, { partner: partner.name, x: x.name, y });
    return true;
  }

  #alarm(phase: Phase, domain: string): boolean {
    const x = this.#scalarOf(domain, 'physics', phase);
    if (!x) return false;
    x.isRead = true;
    const alarm = this.#fields.name('alarm');
    this.#fields.specs.push({ domain, name: alarm, type: 'f32', values: [] });
    this.#template('alarm', phase, domain, { x: x.name, alarm });
    return true;
  }

  /** A kernel that was drawn before, in another place, over other fields where some of the same type are there. */
  #again(phase: Phase, cycle: Cycle): boolean {
    const plain = this.passes.filter(
      ({ kernel }) =>
        this.kernels[kernel].ports.length > 0 &&
        !this.kernels[kernel].adjoint?.saved &&
        this.kernels[kernel].ports.every((p) => p.access !== 'write' || p.kind === 'own'),
    );
    if (plain.length === 0 || phase === 'search') return false;
    const pass = this.#random.pick(plain);
    const kernel = this.kernels[pass.kernel];
    const rename: Record<string, string> = {};
    const own = (port: PortSpec): string =>
      port.domain ?? (port.kind === 'perWorld' ? 'world' : kernel.domain);
    const read: DrawnField[] = [];
    for (const port of kernel.ports.filter((p) => p.access === 'read')) {
      if (port.kind === 'index' || port.kind === 'indexOn') {
        rename[port.name] = pass.rename[port.name] ?? port.name;
        continue;
      }
      const before = this.#fields.find(own(port), pass.rename[port.name] ?? port.name);
      const fitting = this.#fields
        .readable(own(port), cycle, phase)
        .filter((f) => f.type === port.type && (f.kind === 'table') === (before?.kind === 'table'));
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
          ? this.#fields.sum(own(port), port.type, phase, cycle)
          : this.#fields.target(own(port), port.type, cycle, taken);
      taken.push(made);
      rename[port.name] = made.name;
    }
    const same = (p: PassSpec): boolean =>
      p.phase === phase && p.kernel === pass.kernel && JSON.stringify(p.rename) === JSON.stringify(rename);
    if (this.passes.some(same)) return false;
    this.passes.push({ phase, kernel: pass.kernel, rename });
    return true;
  }

  /** A kernel that keeps the hyperbolic tangent of a field, and one whose adjoint reads it there. */
  #drawSaved(phase: Phase, cycle: Cycle, domain: string, adjoint: AdjointSpec): boolean {
    const source = this.#scalarOf(domain, cycle, phase);
    if (!source) return false;
    source.isRead = true;
    // Often a field that was written before: the adjoint finds its last version.
    const saved = this.#fields.target(domain, 'f32', cycle, [source]);
    const kernel: KernelSpec = {
      name: this.#fields.name('keep'),
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
    this.#put(phase, { kernel, rename: { x: source.name, kept: saved.name } });
    this.#put(phase, this.#writer.draw({ phase, cycle, domain }, adjoint, { source, saved }));
    return true;
  }
}
