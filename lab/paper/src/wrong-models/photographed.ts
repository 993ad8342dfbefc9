import type { Device } from '@gradsim/core';
import { type RigidScene, sceneMass, sceneMesh } from '@gradsim/dataset';
import { createPhotographer, type Film } from '@gradsim/examples/photo/photograph';
import { exposuresOf, recordMotion } from '@gradsim/examples/photo/poses';
import type { Shot } from '@gradsim/examples/photo/shot';
import { shotOf } from '@gradsim/examples/photo/tosses';
import { TOSS_FIELD_OF_VIEW, TOSS_TIMELINE, type Toss, tossModel } from '@gradsim/examples/scenes/tossed';
import type { Observation } from '@gradsim/optim';
import { fromRows, layoutOf, Pixel } from '@gradsim/render';
import { Body } from '@gradsim/rigid';
import { resizeFrames, toLinear } from '@gradsim/video';
import type { Side } from './side.ts';

/** Ratio of the resolution of the photographs to that of the compared pictures, across and down. */
const SUPERSAMPLING = 2;
/** Shutter of the photographs: open for half of the time between frames. */
const SHUTTER = { open: 0.5, instants: 8 } as const;
/** Standard deviation of the outlines' blur in the fitted model, px of the compared pictures. */
const SOFTNESS = 0.44;

/** A photographed object: the model that is fitted to the photographs, and what it is compared with. */
export interface Photographed {
  readonly side: Side;
  readonly observation: Observation;
}

/**
 * Photographs an object by three.js, and compares its masks: the part of each pixel that shows the object, averaged
 * over the exposure. The ground hides what has sunk into it.
 *
 * @param chromium path of a Chromium; undefined if this machine has none, which is an error.
 */
export async function photographed(
  object: RigidScene,
  { device, chromium }: { readonly device: Device; readonly chromium: string | undefined },
): Promise<Photographed> {
  const toss = tossOf(object);
  const model = tossModel(toss, { softness: (SOFTNESS / object.size) ** 2, drawing: 'silhouette' });
  const exposures = exposuresOf(await recordMotion(toss, device, object.substeps), SHUTTER);
  const film = await photograph(shotOf({ ...toss, size: SUPERSAMPLING * object.size }, exposures, 'mask'), chromium);
  const { data } = resizeFrames(toLinear(film.frames, 'srgb'), { width: object.size, height: object.size });
  // Red, green and blue are equal. The renderer draws both sides of a closed surface, so alpha is 1 - (1 - part)^2.
  const alpha = Float32Array.from({ length: data.length / 3 }, (_, k) => 1 - (1 - data[3 * k]) ** 2);
  return {
    side: { model, substeps: object.substeps, field: Body.mass, massPerValue: 1, mass: toss.mass },
    observation: { field: Pixel.alpha, target: fromRows(layoutOf(model), alpha, 1) },
  };
}

async function photograph(shot: Shot, chromium: string | undefined): Promise<Film> {
  if (!chromium)
    throw new Error(
      'Photographs are taken in Chromium: set GRADSIM_CHROMIUM to its path, or have it on PATH and begin with `npm run`.',
    );
  const photographer = await createPhotographer(chromium);
  try {
    return await photographer.photograph(shot, TOSS_TIMELINE.frameRate);
  } finally {
    await photographer.dispose();
  }
}

/**
 * The object as a toss. All tosses have one field of view; the camera is moved so that the object appears about as large
 * as in the film of the dataset.
 */
function tossOf(object: RigidScene): Toss {
  const { material, position, orientation, velocity, angularVelocity, impulse, impulsePoint, size } = object;
  const { positions, triangles, colors, colorsOn } = sceneMesh(object);
  const { fieldOfView, distance, ...camera } = object.camera;
  return {
    mesh: { positions, triangles, colors, colorsOn },
    mass: sceneMass(object).mass,
    material,
    position,
    orientation,
    velocity,
    angularVelocity,
    impulse,
    pushPoint: impulsePoint,
    camera: {
      ...camera,
      distance: (distance * Math.tan(fieldOfView / 2)) / Math.tan(TOSS_FIELD_OF_VIEW / 2),
    },
    size,
  };
}
