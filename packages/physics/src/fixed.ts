import type { Component, Entity, Scene } from '@gradsim/core';
import { column, f32 } from '@gradsim/core';

/** The column `fixed`: 1 for what never moves, of infinite mass and without weight; else 0. */
export const fixed = column(f32, { default: 0 });

/** @throws when `fixed` of an entity is neither 0 nor 1. */
export function checkFixed(scene: Scene, entity: Entity, component: Component): void {
  const [value] = scene.get(entity, component, 'fixed');
  if (value !== 0 && value !== 1)
    throw new Error(`${scene.describe(entity)}: ${component.name}.fixed is ${value}; it must be 0 or 1.`);
}
