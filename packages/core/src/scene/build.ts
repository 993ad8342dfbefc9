import { GradsimError, refuseWrongType } from '@gradsim/base';
import type { FieldRef, IndexType, ValueType } from '@gradsim/kernel';
import { Model } from '../model/model.ts';
import { buildOrder } from '../model/offers.ts';
import type { Component, Entity, ValueColumn } from './component.ts';
import { refOf } from './component.ts';
import type { BuildContext, Plugin } from './plugin.ts';
import { isOf } from './registration.ts';
import type { Scene } from './scene.ts';

/**
 * Packs a scene into a model: every component becomes a domain with its columns as fields, references become indices,
 * and every plugin adds its passes.
 * @throws when a reference is stale, or a plugin refuses the scene.
 */
export function buildModel(scene: Scene): Model {
  refuseWrongType('buildModel: scene', scene, 'a scene: createScene(plugins)', !!scene?.entities);
  const model = new Model();
  const orders = new Map<string, { entities: Entity[]; index: Map<Entity, number> }>();
  const { components } = scene;
  for (const component of components) {
    const entities = scene.entities(component);
    orders.set(component.name, { entities, index: new Map(entities.map((e, k) => [e, k])) });
  }
  const order = (name: string) => {
    const found = orders.get(name);
    if (!found)
      throw new GradsimError('core/unknown-component', `There is no component "${name}" in this scene.`, {
        hint: 'Add the plugin that defines it.',
      });
    return found;
  };
  for (const component of components) {
    if (component.extendedComponent) continue;
    const { entities } = order(component.name);
    model.addDomain(component.name, entities.length, { describe: (element) => scene.describe(entities[element]) });
  }
  for (const component of components) {
    const owner = scene.plugins.find((plugin) => isOf(plugin, component))!;
    model.as(owner, () => {
      addColumns(scene, model, component, order);
      for (const [name, { kind }] of Object.entries(component.computed)) {
        const ref = refOf(component, name) as FieldRef<ValueType>;
        if (kind === 'sum') model.addAccumulator(ref);
        else model.addComputed(ref);
      }
    });
  }
  const context: BuildContext = {
    scene,
    model,
    entities: (component) => order(component.name).entities,
    indexOf: (component, entity) => {
      const at = order(component.name).index.get(entity);
      if (at === undefined)
        throw new GradsimError('core/not-of-component', `is none of ${component.name}.`, {
          element: scene.describe(entity),
        });
      return at;
    },
  };
  const plugins = buildOrder(scene.plugins as readonly Plugin[]);
  for (const part of ['build', 'finish'] as const)
    for (const plugin of plugins)
      model.as(plugin, () => refuseAsynchronous(plugin, part, plugin[part]?.(context)), { isLate: part === 'finish' });
  return model;
}

/** @throws where part of a plugin returned a promise: what it would add later is in no model. */
function refuseAsynchronous({ name }: Plugin, part: string, returned: unknown): void {
  if (returned instanceof Promise)
    throw new GradsimError('core/asynchronous', `The ${part} of ${name} is asynchronous, and must end at once.`, {
      hint: 'Await what it needs before the scene is made.',
    });
}

type Order = (name: string) => { entities: Entity[]; index: Map<Entity, number> };

function addColumns(scene: Scene, model: Model, component: Component, order: Order): void {
  for (const [name, column] of Object.entries(component.columns)) {
    if (column.kind === 'object') continue;
    const values = scene.values(component, name);
    if (column.kind === 'reference') {
      const targets = order(column.component).index;
      const dense = Uint32Array.from(values, (entity, k) => {
        const at = targets.get(entity);
        if (at === undefined) {
          throw new GradsimError(
            'core/stale-entity',
            `${component.name}.${name} refers to entity ${entity}, which was removed.`,
            {
              field: `${component.name}.${name}`,
              element: model.describe(component.domain, Math.floor(k / column.count)),
            },
          );
        }
        return at;
      });
      model.addIndex(refOf(component, name) as FieldRef<IndexType>, dense);
      continue;
    }
    const sharing = sharingColumn(scene, component, name);
    if (sharing[0] !== component) continue;
    const packed = component.extendedComponent ? packAspects(scene, sharing, name, order) : values;
    model.addField(refOf(component, name) as FieldRef<ValueType>, {
      values: packed,
      range: column.range,
      unseen: column.unseen,
    });
  }
}

/** Returns the components that share a column's field: several for aspects with a common column, otherwise one. */
function sharingColumn(scene: Scene, component: Component, name: string): readonly Component[] {
  if (!component.extendedComponent) return [component];
  return scene.components.filter(
    ({ extendedComponent, columns }) =>
      extendedComponent === component.extendedComponent && columns[name] === component.columns[name],
  );
}

/**
 * Returns the values of an aspect's column for all elements of the domain: the default for elements without the aspect.
 * @throws when an entity has several aspects that share the column, or has none and the column has no default.
 */
function packAspects(scene: Scene, sharing: readonly Component[], name: string, order: Order): Float64Array {
  const [{ domain, columns, name: first }] = sharing;
  const { type, default: fill } = columns[name] as ValueColumn;
  const { entities, index } = order(domain);
  for (const entity of entities) {
    const [one, other] = sharing.filter((aspect) => scene.has(entity, aspect.name));
    if (other)
      throw new GradsimError(
        'core/two-aspects',
        `has ${one.name} and ${other.name}, which share the column ${name}: it can have one of them.`,
        { element: scene.describe(entity) },
      );
    if (!one && fill === undefined)
      throw new GradsimError('core/value-missing', `has no ${first}, and ${first}.${name} has no default.`, {
        element: scene.describe(entity),
      });
  }
  const width = type.components;
  const packed = new Float64Array(entities.length * width);
  const components = typeof fill === 'number' ? Array<number>(width).fill(fill) : (fill ?? []);
  entities.forEach((_, e) => {
    packed.set(components, e * width);
  });
  for (const aspect of sharing) {
    const values = scene.values(aspect, name);
    order(aspect.name).entities.forEach((entity, k) => {
      packed.set(values.subarray(k * width, (k + 1) * width), index.get(entity)! * width);
    });
  }
  return packed;
}
