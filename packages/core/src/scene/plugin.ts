import { refuseUnknownOptions } from '@gradsim/base';
import type { Model } from '../model/model.ts';
import type { Component, Entity } from './component.ts';
import type { Registered } from './registration.ts';
import type { Scene } from './scene.ts';

/** Objects that a plugin receives in `build` and `finish`, while a scene is built into a model. */
export interface BuildContext {
  readonly scene: Scene;
  readonly model: Model;
  /** Returns the entities of a component in domain order. */
  entities(component: Component): readonly Entity[];
  /** Returns the index of an entity in its domain. */
  indexOf(component: Component, entity: Entity): number;
}

/**
 * A plugin: a physical model, a renderer, anything that adds components, fields and passes.
 *
 * Domains and fields of `components` are created automatically. `build` adds everything else: further domains (contact
 * points of meshes, say), fields, and the passes.
 */
export interface Plugin extends Registered {
  readonly build?: (context: BuildContext) => void;
  /** Runs after every plugin has built: for checks and passes that depend on what others have added. */
  readonly finish?: (context: BuildContext) => void;
}

const PLUGIN_PROPERTIES = {
  name: true,
  contract: true,
  components: true,
  aspects: true,
  build: true,
  finish: true,
  requires: true,
  offers: true,
  amends: true,
  takes: true,
};

/**
 * Declares a plugin.
 *
 * ```ts
 * export const centralForce = definePlugin({
 *   name: 'central-force',
 *   contract: 1,
 *   components: [Mote],
 *   build: ({ model }) => {
 *     model.addPass('force', pull);
 *     model.addPass('integrate', move);
 *   },
 * });
 * ```
 * @throws for an unknown property, since a misspelt `build` would never run.
 */
export function definePlugin(plugin: Plugin): Plugin {
  refuseUnknownOptions<Plugin>(`The plugin ${plugin.name}`, plugin, PLUGIN_PROPERTIES);
  return plugin;
}
