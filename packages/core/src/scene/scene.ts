import { describeValue, GradsimError, refuseWrongType, suggestion } from '@gradsim/base';
import {
  addComponent,
  addEntity,
  createEntityIndex,
  createWorld,
  entityExists,
  getId,
  hasComponent,
  query,
  removeEntity,
  withVersioning,
} from 'bitecs';
import { firstUnfitValue } from '../model/fit.ts';
import type { Column, Component, Entity, ManyValuesOf, ValuesOf } from './component.ts';
import { labelOfUnnamed } from './component.ts';
import type { Registered } from './registration.ts';
import { checkPlugins, isOf } from './registration.ts';
import { Store, widthOf } from './store.ts';

/** Entities that were added at once, with a function for their labels. */
interface Batch {
  readonly entities: readonly Entity[];
  readonly label: (element: number) => string;
  /** Position of each entity in the batch; undefined until a message needs it. */
  numbers?: Map<Entity, number>;
}

/** Entities with components, and the plugins that build them into a model. */
export class Scene {
  readonly plugins: readonly Registered[];
  readonly #components: Component[];
  // bitECS holds identity and membership only; values lie in stores of our own. Versions mark recycled numbers.
  readonly #index = createEntityIndex(withVersioning(8));
  readonly #world = createWorld(this.#index);
  readonly #stores = new Map<string, { store: Store; tag: object }>();
  readonly #labels = new Map<Entity, string>();
  readonly #batches: Batch[] = [];
  readonly #groups = new Map<string, number>();
  /**
   * Indices of entities within their domains, by component: a cache of those that messages have needed since the last
   * change.
   */
  readonly #indices = new Map<Component, Map<Entity, number>>();

  constructor(plugins: readonly Registered[]) {
    checkPlugins(plugins);
    this.plugins = plugins;
    this.#components = usableComponents(plugins);
    for (const component of this.#components) this.#addStore(component);
  }

  /** Components that its entities can have; of aspects for any component, only those that an entity has had. */
  get components(): readonly Component[] {
    return this.#components;
  }

  #addStore(component: Component): { store: Store; tag: object } {
    const added = { store: new Store(component), tag: {} };
    this.#stores.set(component.name, added);
    return added;
  }

  #store(component: Component): { store: Store; tag: object } {
    if (typeof component?.name !== 'string')
      throw new GradsimError(
        'core/not-a-component',
        `A component is needed, such as a package exports, and ${String(component)} is none. Is the name of its import right?`,
      );
    const found = this.#stores.get(component.name);
    if (!found || found.store.component !== component) {
      const missing = hostsOf(component).find((host) => !this.#stores.has(host));
      if (missing) {
        throw new GradsimError(
          'core/plugin-missing',
          `The component "${component.name}" needs "${missing}", which no plugin of this scene defines. Registered: ${this.plugins.map((p) => p.name).join(', ') || 'none'}.`,
        );
      }
      if (found) {
        const owner = this.plugins.find(({ components }) => components?.includes(found.store.component));
        throw new GradsimError(
          'core/two-copies',
          `There are several components "${component.name}", and ${owner?.name ?? 'a plugin'} of this scene goes by another than this one. Where it knows several kinds, an option of it says which.`,
          { hint: 'Name the same kind, or remove the second copy of its package (`npm ls`).' },
        );
      }
      throw new GradsimError(
        'core/unknown-component',
        `The component "${component.name}" belongs to no plugin of this scene. Registered: ${this.plugins.map((p) => p.name).join(', ') || 'none'}.`,
      );
    }
    return found;
  }

  /**
   * Adds an entity with a component.
   * @param label name of the entity for messages.
   * @throws when a required value is missing, a value has the wrong size, is not finite or out of range, or a
   * referenced entity is gone.
   */
  add<C extends Component>(component: C, values: ValuesOf<C>, label?: string): Entity {
    const { store, tag } = this.#store(component);
    this.#refuseAspect(component);
    const checked = this.#check(
      component,
      values as Record<string, unknown>,
      () => label ?? `the new ${component.noun ?? `element of ${component.name}`}`,
    );
    const entity = addEntity(this.#world);
    this.#indices.clear();
    addComponent(this.#world, entity, tag);
    if (label) this.#labels.set(entity, label);
    this.#storeValues(store, entity, checked);
    return entity;
  }

  #refuseAspect({ name, extendedComponent }: Component): void {
    if (extendedComponent)
      throw new GradsimError(
        'core/aspect-alone',
        `"${name}" is an aspect of ${extendedComponent}: attach it to an entity that is one.`,
      );
  }

  /**
   * Attaches an aspect with its values to an entity.
   * @throws as {@link Scene.add} does, and where the entity has the aspect already.
   */
  attach<C extends Component>(entity: Entity, aspect: C, values: ValuesOf<C>): void {
    this.#registerAspect(aspect);
    const { store, tag } = this.#store(aspect);
    this.#refuseStale(entity, `attach ${aspect.name} to`);
    if (aspect.extendedComponent && !this.has(entity, aspect.extendedComponent)) {
      throw new GradsimError(
        'core/not-of-component',
        `is none of ${aspect.extendedComponent}, so it cannot have ${aspect.name}.`,
        {
          element: this.describe(entity),
        },
      );
    }
    if (this.has(entity, aspect.name))
      throw new GradsimError('core/attached-twice', `has ${aspect.name} already.`, {
        element: this.describe(entity),
        hint: 'Give all of its values at once.',
      });
    const checked = this.#check(aspect, values as Record<string, unknown>, () => this.describe(entity));
    addComponent(this.#world, entity, tag);
    this.#storeValues(store, entity, checked);
  }

  /** Adds to the scene an aspect for any component, when an entity first has it. */
  #registerAspect(aspect: Component): void {
    if (!aspect.aspectsFunction || this.#stores.has(aspect.name)) return;
    if (!hostsOf(aspect).every((host) => this.#stores.has(host))) return;
    if (!this.plugins.some((plugin) => isOf(plugin, aspect))) return;
    this.#components.push(aspect);
    this.#addStore(aspect);
  }

  /**
   * Adds `count` entities at once, each column given as one array, element by element. Suited to 100,000 and more.
   *
   * ```ts
   * scene.addMany(Mote, 3, { mass: [1, 2, 3] }, (k) => `mote ${k} of cloud "west"`);
   * ```
   * @param label returns the name of an entity for messages, from its position among the new ones.
   */
  addMany<C extends Component>(
    component: C,
    count: number,
    values: ManyValuesOf<C>,
    label?: (element: number) => string,
  ): Entity[] {
    const { store, tag } = this.#store(component);
    this.#refuseAspect(component);
    if (!Number.isInteger(count) || count < 0) {
      throw new GradsimError(
        'core/wrong-size',
        `${component.name}: the number of new entities must be a whole number, got ${count}.`,
      );
    }
    const given = values as Record<string, ArrayLike<number> | readonly unknown[]>;
    refuseNoValues(given, () => `${count} new ${component.name}`);
    for (const name of Object.keys(given)) this.#columnOf(component, name);
    const who =
      label ?? ((element: number): string => `${labelOfUnnamed(component, element)} of the ${count} new ones`);
    for (const [name, column] of Object.entries(component.columns)) {
      const all = given[name];
      if (all === undefined) continue;
      const width = widthOf(column);
      if (!isArrayLike(all) || all.length !== count * width) {
        throw new GradsimError(
          'core/wrong-size',
          `${component.name}.${name}: ${count} entities need ${count} x ${width} values, got ${isArrayLike(all) ? all.length : describeValue(all)}.`,
        );
      }
      if (column.kind !== 'object')
        this.#refuseUnfit(column, all as ArrayLike<number>, who, `${component.name}.${name}`);
    }
    if (count === 0) return [];
    const defaults = this.#check(component, firstOf(given, component), () => who(0));
    const entities = Array.from({ length: count }, () => addEntity(this.#world));
    for (const entity of entities) addComponent(this.#world, entity, tag);
    if (label) this.#batches.push({ entities, label });
    this.#indices.clear();
    const slots = Uint32Array.from(entities, (entity) => getId(this.#index, entity));
    store.reserve(slots.reduce((most, slot) => Math.max(most, slot + 1), 0));
    for (const [name, column] of Object.entries(component.columns)) {
      const all = given[name];
      if (column.kind === 'object') {
        slots.forEach((slot, k) => {
          store.writeObject(name, slot, all?.[k]);
        });
        continue;
      }
      const width = widthOf(column);
      const values = (all ?? defaults.get(name)) as ArrayLike<number>;
      for (let k = 0; k < count; k++) store.write(name, slots[k], values, all ? k * width : 0, width);
    }
    return entities;
  }

  #storeValues(store: Store, entity: Entity, values: ReadonlyMap<string, unknown>): void {
    const slot = getId(this.#index, entity);
    store.reserve(slot + 1);
    for (const [name, column] of Object.entries(store.component.columns)) {
      // A missing object overwrites the one that a removed entity left in this slot.
      if (column.kind === 'object') store.writeObject(name, slot, values.get(name));
      else store.write(name, slot, values.get(name) as ArrayLike<number>, 0, widthOf(column));
    }
  }

  /** Returns the values of all columns of an entity, with defaults filled in. @throws for invalid values. */
  #check(component: Component, given: Readonly<Record<string, unknown>>, who: () => string): Map<string, unknown> {
    refuseNoValues(given, who);
    for (const name of Object.keys(given)) this.#columnOf(component, name);
    const checked = new Map<string, unknown>();
    for (const [name, column] of Object.entries(component.columns)) {
      const isGiven = given[name] !== undefined;
      const value = isGiven || column.kind !== 'value' ? given[name] : column.default;
      if (value === undefined) {
        if (column.kind === 'object' && !column.required) continue;
        throw new GradsimError('core/value-missing', `${component.name}.${name} is missing.`, {
          field: `${component.name}.${name}`,
          element: who(),
        });
      }
      checked.set(name, column.kind === 'object' ? value : this.#checkNumbers(component, column, name, value, who));
    }
    return checked;
  }

  #columnOf(component: Component, name: string): Column {
    const column = component.columns[name];
    if (!column)
      throw new GradsimError(
        'core/unknown-name',
        `${component.name} has no "${name}". ${suggestion(name, Object.keys(component.columns))}`,
      );
    return column;
  }

  #checkNumbers(
    component: Component,
    column: Exclude<Column, { kind: 'object' }>,
    name: string,
    value: unknown,
    who: () => string,
  ): ArrayLike<number> {
    const width = widthOf(column);
    const isDefault = column.kind === 'value' && value === column.default;
    const numbers = typeof value !== 'number' ? value : isDefault ? Array<number>(width).fill(value) : [value];
    if (!isArrayLike(numbers) || numbers.length !== width)
      throw new GradsimError(
        'core/wrong-size',
        `${component.name}.${name} takes ${width} number${width > 1 ? 's' : ''}, got ${isArrayLike(numbers) ? numbers.length : describeValue(value)}.`,
        { field: `${component.name}.${name}`, element: who() },
      );
    this.#refuseUnfit(column, numbers, who, `${component.name}.${name}`);
    return numbers;
  }

  /** @throws for the first invalid value of a column, element by element. */
  #refuseUnfit(
    column: Exclude<Column, { kind: 'object' }>,
    values: ArrayLike<number>,
    who: (element: number) => string,
    name: string,
  ): void {
    if (column.kind === 'value') {
      const { scalar, components } = column.type;
      const unfit = firstUnfitValue(values, { scalar, components, range: column.range });
      if (unfit)
        throw new GradsimError('core/value-out-of-range', `${name} is ${unfit.value}.`, {
          field: name,
          element: who(unfit.element),
          hint: `It must ${unfit.requirement}.`,
        });
      return;
    }
    for (let k = 0; k < values.length; k++) {
      const value = values[k];
      const named = (): string => who(Math.floor(k / column.count));
      if (!entityExists(this.#world, value))
        throw new GradsimError(
          'core/stale-entity',
          `${name} refers to entity ${value}, which is not in the scene (any more).`,
          { field: name, element: named() },
        );
      if (!this.has(value, column.component))
        throw new GradsimError(
          'core/wrong-reference',
          `${name} must refer to ${column.component}, and ${this.describe(value)} is none.`,
          { field: name, element: named() },
        );
    }
  }

  has(entity: Entity, componentName: string): boolean {
    const found = this.#stores.get(componentName);
    return found !== undefined && hasComponent(this.#world, entity, found.tag);
  }

  /** Removes an entity. Later entities have other numbers. */
  remove(entity: Entity): void {
    this.#refuseStale(entity, 'remove');
    removeEntity(this.#world, entity);
    this.#labels.delete(entity);
    this.#indices.clear();
  }

  #refuseStale(entity: Entity, what: string): void {
    if (!entityExists(this.#world, entity))
      throw new GradsimError(
        'core/stale-entity',
        `Cannot ${what} entity ${entity}: it is not in the scene (any more).`,
      );
  }

  /** Returns the entities of a component, in domain order. */
  entities(component: Component): Entity[] {
    const { tag } = this.#store(component);
    return [...query(this.#world, [tag])].sort((a, b) => getId(this.#index, a) - getId(this.#index, b));
  }

  /** Returns the values of one column for all entities of a component, in domain order. */
  values(component: Component, name: string): Float64Array {
    const { store } = this.#store(component);
    return store.gather(
      name,
      this.entities(component).map((e) => getId(this.#index, e)),
    );
  }

  /** Returns an entity's values in one column. */
  get(entity: Entity, component: Component, name: string): Float64Array {
    return this.#readable(entity, component, name).read(name, getId(this.#index, entity));
  }

  /** Returns an entity's value in a `resource` column. */
  object(entity: Entity, component: Component, name: string): unknown {
    return this.#readable(entity, component, name).readObject(name, getId(this.#index, entity));
  }

  /**
   * Returns the store of a component. @throws if the entity does not have the component, or the component no such
   * column.
   */
  #readable(entity: Entity, component: Component, name: string): Store {
    const { store } = this.#store(component);
    this.#columnOf(component, name);
    this.#refuseStale(entity, `read ${component.name}.${name} of`);
    if (!this.has(entity, component.name)) {
      throw new GradsimError(
        'core/not-of-component',
        `has no ${component.name}, so it has no ${component.name}.${name}.`,
        { element: this.describe(entity) },
      );
    }
    return store;
  }

  /**
   * Returns an entity's name for messages: the label with which it was added, else its noun and index, such as `body
   * 2`.
   */
  describe(entity: Entity): string {
    const label = this.#labels.get(entity);
    if (label !== undefined) return label;
    for (const batch of this.#batches) {
      batch.numbers ??= new Map(batch.entities.map((one, k) => [one, k]));
      const number = batch.numbers.get(entity);
      if (number !== undefined) return batch.label(number);
    }
    const component = this.#components.find(
      ({ extendedComponent, name }) => !extendedComponent && this.has(entity, name),
    );
    return component ? labelOfUnnamed(component, this.#indexOf(component, entity)) : `entity ${entity}`;
  }

  #indexOf(component: Component, entity: Entity): number {
    const indices = this.#indices.get(component) ?? new Map(this.entities(component).map((one, k) => [one, k]));
    this.#indices.set(component, indices);
    return indices.get(entity)!;
  }

  /**
   * Returns a name for a group of entities that a function adds together, to be part of their labels: `cloth "flag"`,
   * the next group of that name `cloth "flag" (2)`; without a name, numbered in the scene: `cloth 0`, `cloth 1`.
   */
  nameGroup(kind: string, name?: string): string {
    refuseWrongType(`${kind}: name`, name, 'a text', name === undefined || typeof name === 'string');
    const called = name ? `${kind} "${name}"` : kind;
    const number = this.#groups.get(called) ?? 0;
    this.#groups.set(called, number + 1);
    if (!name) return `${kind} ${number}`;
    return number === 0 ? called : `${called} (${number + 1})`;
  }
}

function refuseNoValues(given: unknown, who: () => string): void {
  if (typeof given !== 'object' || given === null)
    throw new GradsimError(
      'core/values-not-by-name',
      `values are given by name, such as { mass: 1 }, not as ${describeValue(given)}.`,
      { element: who() },
    );
}

const isArrayLike = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && 'length' in value;

/**
 * Returns the names of the components that a component depends on: the one that an aspect extends, and the targets of
 * references.
 */
function hostsOf({ extendedComponent, columns }: Component): string[] {
  const referred = Object.values(columns).flatMap((c) => (c.kind === 'reference' ? [c.component] : []));
  return extendedComponent ? [extendedComponent, ...referred] : referred;
}

/** Returns the components of the plugins, except those that depend on a missing one. */
function usableComponents(plugins: readonly Registered[]): Component[] {
  let components = [...new Set(plugins.flatMap((p) => p.components ?? []))];
  for (;;) {
    const names = new Set(components.map((c) => c.name));
    const usable = components.filter((c) => hostsOf(c).every((host) => names.has(host)));
    if (usable.length === components.length) return usable;
    components = usable;
  }
}

function firstOf(
  given: Readonly<Record<string, ArrayLike<number> | readonly unknown[]>>,
  component: Component,
): Record<string, unknown> {
  const present = Object.entries(given).filter(([, all]) => all !== undefined);
  const entries = present.map(([name, all]): [string, unknown] => {
    const column = component.columns[name];
    return [name, column.kind === 'object' ? all[0] : Array.from(all as ArrayLike<number>).slice(0, widthOf(column))];
  });
  return Object.fromEntries(entries);
}

/** Creates a scene of entities for the given plugins. */
export function createScene(plugins: readonly Registered[]): Scene {
  return new Scene(plugins);
}
