import type { Component, Entity, Plugin, Scene, SimulationOptions } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import type { Mesh } from '@gradsim/mesh';

/** Reference to an entity of a draft by its label. */
export class Ref {
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}

/** An entity to be added, with its further components. Values may contain {@link Ref}s. */
export interface DraftEntity {
  readonly label: string;
  readonly component: Component;
  readonly values: Record<string, unknown>;
  readonly aspects: { readonly component: Component; readonly values: Record<string, unknown> }[];
}

/** A mesh whose vertices become particles, with elements between them. */
export interface Sheet {
  readonly name: string;
  mesh: Mesh;
  readonly options: Record<string, unknown>;
  readonly add: (scene: Scene, mesh: Mesh, options: Record<string, unknown>) => { particles: Entity[] };
  /** Further components of its particles, with their values. */
  readonly aspects: { readonly component: Component; readonly values: Record<string, unknown> }[];
}

/** A plugin factory with its options. */
export interface Module {
  readonly name: string;
  readonly make: (options: Record<string, unknown>) => Plugin;
  readonly options: Record<string, unknown>;
}

/** A scene and a run of it as plain data, which random errors are put into before they are built. */
export interface Draft {
  modules: Module[];
  readonly things: DraftEntity[];
  readonly sheets: Sheet[];
  readonly run: Record<string, unknown> & Omit<SimulationOptions, 'device'> & { readonly frameRate: number };
  /** Labels of entities that are removed before the scene is built. */
  readonly removed: string[];
}

/** Builds the scene of a draft. */
export function sceneOf({ modules, things, sheets, removed }: Draft): Scene {
  const scene = createScene(modules.map(({ make, options }) => make(options)));
  const entities = new Map<string, Entity>();
  const resolved = (values: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, entityIn(value)]));
  const entityIn = (value: unknown): unknown => {
    if (value instanceof Ref) return entities.get(value.label);
    return Array.isArray(value) ? value.map(entityIn) : value;
  };
  const attach = (entity: Entity, aspects: DraftEntity['aspects']): void => {
    for (const { component, values } of aspects) scene.attach(entity, component, resolved(values));
  };
  for (const { label, component, values, aspects } of things) {
    const entity = scene.add(component, resolved(values), label);
    entities.set(label, entity);
    attach(entity, aspects);
  }
  for (const { mesh, options, add, aspects } of sheets)
    for (const particle of add(scene, mesh, options).particles) attach(particle, aspects);
  for (const label of removed) scene.remove(entities.get(label)!);
  return scene;
}
