import type { Cycle, Phase } from '@gradsim/core';
import type { Random } from '../random.ts';
import type { DomainSpec, FieldSpec, Type } from './program.ts';
import { COMPONENTS, FLOATS, isFloat } from './program.ts';

/** Role of a field in a program, which determines what passes may do with it. */
export type Kind =
  /** Field that no pass writes; it may be a parameter. */
  | 'input'
  /** Field that no pass writes, and that is never a parameter. */
  | 'table'
  | 'state'
  /** Field that passes compute anew, in each substep or each frame, or once. */
  | 'made';

export interface DrawnField {
  readonly domain: string;
  readonly name: string;
  readonly type: Type;
  readonly kind: Kind;
  readonly isDeclared: boolean;
  readonly over?: 'frame' | 'substep';
  /** Cycle (setup, search or physics) whose passes write this field of the random program. */
  readonly cycle?: Cycle;
  /** If the field is a sum: the list of passes that add to it. */
  sumOf?: string;
  /** True if a pass has written the field, or added to it, in the cycle being drawn. */
  isWritten: boolean;
  /** True if a pass of the list being drawn has read the sum. */
  isRead: boolean;
}

/** Place where a pass runs: its phase, cycle and domain. */
export interface Place {
  readonly phase: Phase;
  readonly cycle: Cycle;
  readonly domain: string;
}

/**
 * Domains and fields of a program while its passes are drawn, and which of them each pass may read, write and add to.
 */
export class Fields {
  readonly domains: DomainSpec[] = [];
  /** Specs of the fields that the model declares. */
  readonly specs: FieldSpec[] = [];
  readonly all: DrawnField[] = [];
  /** Name of the list of passes that is being generated at random: a phase, or a group within one. */
  list = '';
  readonly #random: Random;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  name(stem: string): string {
    return `${stem}${this.#names++}`;
  }

  size(domain: string): number {
    return domain === 'world' ? 1 : this.domains.find((d) => d.name === domain)!.size;
  }

  type(): Type {
    return this.#random.chance(0.55) ? 'f32' : this.#random.pick(FLOATS);
  }

  declare(domain: string, stem: string, type: Type, kind: Kind, extra: Partial<FieldSpec> = {}): DrawnField {
    const random = this.#random;
    const count = this.size(domain) * COMPONENTS[type];
    const values = Array.from({ length: count }, () =>
      isFloat(type) ? Math.fround(random.between(-1.5, 1.5)) : random.whole(0, 9),
    );
    const name = this.name(stem);
    this.specs.push({ domain, name, type, values, ...extra });
    return this.#remember({ domain, name, type, kind, isDeclared: true, over: extra.over });
  }

  #remember(field: Omit<DrawnField, 'isWritten' | 'isRead'>): DrawnField {
    const state = { ...field, isWritten: false, isRead: false };
    this.all.push(state);
    return state;
  }

  /** Begins a phase, and perhaps a cycle: resets which fields have been read and written. */
  begin(isNewPhase: boolean, isNewCycle: boolean, cycle: Cycle): void {
    for (const field of this.all) {
      if (isNewPhase) field.isRead = false;
      if (isNewCycle) field.isWritten = field.cycle === cycle && field.isWritten;
    }
  }

  find(domain: string, name: string): DrawnField | undefined {
    return this.all.find((f) => f.domain === domain && f.name === name);
  }

  readable(domain: string, cycle: Cycle): DrawnField[] {
    return this.all.filter((f) => f.domain === domain && this.canRead(f, cycle));
  }

  canRead(f: DrawnField, cycle: Cycle): boolean {
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

  make(domain: string, stem: string, type: Type, cycle: Cycle): DrawnField {
    const field = this.#remember({
      domain,
      name: this.name(stem),
      type,
      kind: 'made',
      isDeclared: false,
      cycle,
    });
    field.isWritten = true;
    return field;
  }

  /** Picks a field that a pass may write: an existing one or a new one. */
  target(domain: string, type: Type, cycle: Cycle, taken: readonly DrawnField[]): DrawnField {
    const fitting = this.all.filter(
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
    return this.make(domain, 'm', type, cycle);
  }

  /**
   * Picks a sum that a pass may add to: one of the current list of passes, or a new one.
   *
   * @param isUnread true if no pass may have read the sum yet: a pass that reads it must run after the one that adds,
   * which is impossible if the latter waits for the former.
   */
  sum(domain: string, type: Type, phase: Phase, cycle: Cycle, isUnread = false): DrawnField {
    const isOpen = (f: DrawnField): boolean =>
      f.sumOf === this.list ? !(f.isWritten && f.isRead) : f.sumOf === phase && f.isDeclared && !f.isWritten;
    const open = this.all.filter(
      (f) => f.domain === domain && f.type === type && f.cycle === cycle && isOpen(f) && !(isUnread && f.isRead),
    );
    if (open.length > 0 && this.#random.chance(0.6)) {
      open[0].isWritten = true;
      open[0].sumOf = this.list;
      return open[0];
    }
    const field = this.make(domain, 's', type, cycle);
    field.sumOf = this.list;
    return field;
  }

  /** Declares a sum as a state: passes before the additions read its value from the previous substep or round. */
  reserveSum(domain: string): void {
    const sumOf = this.#random.pick(['control', 'force', 'integrate'] as const);
    const field = this.declare(domain, 's', this.type(), 'state');
    this.all[this.all.length - 1] = { ...field, cycle: 'physics', sumOf };
  }
}
