import type { FieldRef, IndexType, ValueType } from '@gradsim/kernel';
import { Model } from '../model/model.ts';
import { buildOrder } from '../model/offers.ts';
import type { Component, Entity } from './component.ts';
import { refOf } from './component.ts';
import type { BuildContext, Plugin } from './plugin.ts';
import { isOf } from './registration.ts';
import type { Scene } from './scene.ts';

/**
 * Packs a scene into a model: every component becomes a domain with its columns as fields, references become
 * indices, and every plugin adds its passes.
 * @throws when a reference is stale or a plugin finds the scene wrong.
 */
export function buildModel(scene: Scene): Model {
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
      throw new Error(`There is no component "${name}" in this scene; add the plugin that defines it.`);
    return found;
  };
  for (const component of components) {
    if (!component.of) model.addDomain(component.name, order(component.name).entities.length);
  }
  for (const component of components) {
    const owner = scene.plugins.find((plugin) => isOf(plugin, component))!;
    model.as(owner, () => {
      addColumns(scene, model, component, order);
      for (const [name, { kind }] of Object.entries(component.made))
        if (kind === 'sum') model.addAccumulator(refOf(component, name) as FieldRef<ValueType>);
    });
  }
  const context: BuildContext = {
    scene,
    model,
    entities: (component) => order(component.name).entities,
    indexOf: (component, entity) => {
      const at = order(component.name).index.get(entity);
      if (at === undefined) throw new Error(`${scene.describe(entity)} is none of ${component.name}.`);
      return at;
    },
  };
  const plugins = buildOrder(scene.plugins as readonly Plugin[]);
  for (const plugin of plugins) model.as(plugin, () => plugin.build?.(context));
  for (const plugin of plugins) model.as(plugin, () => plugin.finish?.(context), { isLate: true });
  return model;
}

type Order = (name: string) => { entities: Entity[]; index: Map<Entity, number> };

function addColumns(scene: Scene, model: Model, component: Component, order: Order): void {
  const { domain } = component;
  const { entities, index } = order(domain);
  const describe = (element: number): string => scene.describe(entities[element]);
  const with_ = order(component.name).entities;
  for (const [name, column] of Object.entries(component.columns)) {
    if (column.kind === 'object') continue;
    const values = scene.values(component, name);
    if (column.kind === 'reference') {
      const targets = order(column.component).index;
      const dense = Uint32Array.from(values, (entity, k) => {
        const at = targets.get(entity);
        if (at === undefined) {
          throw new Error(
            `${describe(Math.floor(k / column.count))}: ${component.name}.${name} refers to entity ${entity}, which was removed.`,
          );
        }
        return at;
      });
      model.addIndex(refOf(component, name) as FieldRef<IndexType>, dense, describe);
      continue;
    }
    const width = column.type.components;
    let packed = values;
    if (component.of) {
      // Elements without the aspect take its defaults.
      if (column.default === undefined && with_.length < entities.length) {
        const missing = entities.find((e) => !scene.has(e, component.name))!;
        throw new Error(
          `${scene.describe(missing)} has no ${component.name}, and ${component.name}.${name} has no default.`,
        );
      }
      packed = new Float64Array(entities.length * width);
      const fill =
        typeof column.default === 'number'
          ? Array<number>(width).fill(column.default)
          : (column.default ?? Array<number>(width).fill(0));
      entities.forEach((_, e) => packed.set(fill, e * width));
      with_.forEach((entity, k) =>
        packed.set(values.subarray(k * width, (k + 1) * width), index.get(entity)! * width),
      );
    }
    model.addField(refOf(component, name) as FieldRef<ValueType>, {
      ...{ values: packed, describe, range: column.range },
    });
  }
}
