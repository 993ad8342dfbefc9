import type { Model } from '@gradsim/core';
import type { GivenSpec } from '@gradsim/optim';
import { OrbitCamera } from '@gradsim/render';

/**
 * Standard deviations of a person's measurements: relative for lengths (1 %), absolute for the camera's angle of view,
 * rad (2 degrees).
 */
export const TOLERANCES = { size: 0.01, fieldOfView: (2 * Math.PI) / 180, distance: 0.01 } as const;

/** Measured quantities of every scene: the size of the moving object, the camera's angle of view and its distance. */
export const givenOf = (model: Model): readonly GivenSpec[] => {
  const fieldOfView = model.field(OrbitCamera.fieldOfView).values![0];
  const distance = model.field(OrbitCamera.distance).values![0];
  return [
    { name: 'size', value: 1, tolerance: TOLERANCES.size },
    { name: 'field of view', field: OrbitCamera.fieldOfView, value: fieldOfView, tolerance: TOLERANCES.fieldOfView },
    {
      name: 'distance',
      field: OrbitCamera.distance,
      value: distance,
      tolerance: TOLERANCES.distance * distance,
      unit: 'm',
    },
  ];
};
