import type { Port, QuerySteps } from '@gradsim/kernel/internal';
import { fromWords } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../../compile/compiled-model.ts';
import type { Field } from '../../model/field.ts';
import type { KernelPass } from '../../model/pass.ts';
import { kernelsOfValues } from '../../model/pass.ts';
import { keyOf, usesOfPass } from '../../model/uses.ts';

/** A value of a component's column in the scene, of one element. */
export interface GivenNumber {
  readonly field: Field;
  readonly value: number;
}

/**
 * Yields the values of the scene on which a value computed in setup depends: those that the kernels of its computation
 * read at their own element or at an element that an index names. If several elements add to one value, yields those of
 * the element with the largest values. Zeros are omitted.
 */
export function* givenNumbers(
  compiled: CompiledModel,
  key: string,
  element: number,
  world: number,
): QuerySteps<ReadonlyMap<string, readonly GivenNumber[]>> {
  const uses = columnsBehind(compiled, key, element);
  const fields = [...new Set(uses.flatMap(({ columns }) => columns))];
  const places = fields.map((field) => compiled.layout.input(field));
  const answers = yield places.map(({ offset, shape: { elements, worlds } }) => ({
    arena: 'f32',
    from: offset,
    words: elements * worlds,
  }));
  const values = new Map(
    fields.map((field, k) => {
      const { shape } = places[k];
      const found = new Float64Array(shape.elements * shape.worlds);
      fromWords(shape, answers[k], 0, found, 0);
      return [field, shape.worlds > 1 ? found.subarray(world * shape.elements) : found];
    }),
  );
  const found = new Map<string, GivenNumber[]>();
  for (const { domain, elements, columns } of uses) {
    const numbersOf = (at: number): number[] => columns.map((field) => values.get(field)![at]);
    const [most] = [...elements].sort((a, b) => compare(numbersOf(b), numbersOf(a)));
    const name = compiled.model.describe(domain, most);
    const numbers = found.get(name) ?? [];
    for (const [k, field] of columns.entries()) {
      const value = numbersOf(most)[k];
      if (value !== 0 && !numbers.some((one) => one.field === field)) numbers.push({ field, value });
    }
    if (numbers.length > 0) found.set(name, numbers);
  }
  return found;
}

/** Orders lists of numbers by the first number that differs. */
function compare(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((value, at) => value !== b[at]);
  return k < 0 ? 0 : a[k] - b[k];
}

/** Columns of a component that one kernel reads, and the elements at which it reads them. */
interface ColumnUse {
  readonly domain: string;
  readonly elements: readonly number[];
  readonly columns: readonly Field[];
}

function columnsBehind({ model, fields, roles }: CompiledModel, key: string, element: number): ColumnUse[] {
  const setup = model.passes.flatMap(({ phase, pass }) => (phase === 'setup' ? kernelsOfValues(pass) : []));
  const seen = new Set<string>();
  const uses: ColumnUse[] = [];
  const isNumber = (port: Port): boolean =>
    port.access === 'read' && port.kind === 'primal' && port.scalar === 'f32' && port.components === 1;
  const isColumn = ({ key, domain, variesBy }: Field): boolean =>
    fields.domain(domain).describe !== undefined && variesBy === undefined && roles.get(key) === 'input';
  const follow = (made: string, elements: readonly number[]): void => {
    if (seen.has(made)) return;
    seen.add(made);
    for (const pass of setup) {
      const { writes, adds } = usesOfPass(pass);
      if (!writes.has(made) && !adds.has(made)) continue;
      const { form } = pass.kernel;
      const own =
        form.domain === fields.field(made).domain ? elements : referringTo(pass, fields.field(made).domain, elements);
      if (own.length === 0) continue;
      for (const domain of new Set(form.ports.map((port) => port.domain || form.domain))) {
        const at = domain === form.domain ? own : referredTo(pass, domain, own);
        const read = form.ports
          .filter((port) => isNumber(port) && (port.domain || form.domain) === domain)
          .map((port) => fields.field(keyOf(form, pass.names)(port)));
        if (at.length === 0) continue;
        const columns = read.filter(isColumn);
        if (columns.length > 0) uses.push({ domain, elements: at, columns });
        for (const other of read) if (!isColumn(other)) follow(other.key, at);
      }
    }
  };
  const indicesTo = (pass: KernelPass, target: string): Field[] =>
    pass.kernel.form.ports
      .filter((port) => port.target === target && (port.domain || pass.kernel.form.domain) === pass.kernel.form.domain)
      .map((port) => fields.field(keyOf(pass.kernel.form, pass.names)(port)));
  /** Returns the elements with an index that refers to any of the given ones. */
  const referringTo = (pass: KernelPass, target: string, elements: readonly number[]): number[] => {
    const wanted = new Set(elements);
    const found = indicesTo(pass, target).flatMap(({ values = [], components }) =>
      Array.from(values).flatMap((value, k) => (wanted.has(value) ? [Math.floor(k / components)] : [])),
    );
    return [...new Set(found)];
  };
  /** Returns the elements to which the indices of the given ones refer. */
  const referredTo = (pass: KernelPass, target: string, elements: readonly number[]): number[] => {
    const size = fields.domain(target).size;
    const found = indicesTo(pass, target).flatMap(({ values = [], components }) =>
      elements.flatMap((e) => Array.from({ length: components }, (_, c) => values[e * components + c])),
    );
    return [...new Set(found)].filter((e) => e < size);
  };
  follow(key, [element]);
  return uses;
}
