import type { Domain, Field } from '../../model/field.ts';
import type { Model } from '../../model/model.ts';
import type { FieldKey } from '../../model/references.ts';
import { noField, resolvedKey } from '../../model/references.ts';

/**
 * Fields of a run of a model: those that plugins added, and those that the first pass writing them creates. The model
 * stays unchanged.
 */
export class Fields {
  readonly model: Model;
  readonly #all: Map<string, Field>;

  constructor(model: Model) {
    this.model = model;
    this.#all = new Map(model.fields);
  }

  /** @throws when there is no such field, with the nearest name. */
  field(key: string): Field {
    const field = this.#all.get(key);
    if (!field) throw noField(key, this.#all.keys(), this.model.domains.keys());
    return field;
  }
  /** Returns the key of a field. @throws when the reference belongs to another model. */
  keyOf(field: FieldKey): string {
    return resolvedKey(field, (key) => this.field(key));
  }
  find(key: string): Field | undefined {
    return this.#all.get(key);
  }
  domain(name: string): Domain {
    return this.model.domain(name);
  }
  keys(): IterableIterator<string> {
    return this.#all.keys();
  }
  values(): IterableIterator<Field> {
    return this.#all.values();
  }
  /** Creates a field that passes write, unless it exists. */
  ensure(key: string, type: Pick<Field, 'scalar' | 'components'> & Partial<Field>): Field {
    const known = this.#all.get(key);
    if (known) return known;
    const dot = key.indexOf('.');
    const domain = this.model.domain(key.slice(0, dot)).name;
    const field: Field = { key, domain, name: key.slice(dot + 1), shared: false, isComputed: true, ...type };
    this.#all.set(key, field);
    return field;
  }
}
