import type { Device, Model, Plugin, Scene } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import { cylinder, icosphere } from '@gradsim/mesh';
import type { Estimate, Problem, Stage } from '@gradsim/optim';
import { layoutOf, OrbitCamera, render, toRows } from '@gradsim/render';
import { filmOf } from './film-of.ts';
import type { SceneRenderer } from './renderers.ts';

/** The axes of a link of which y points down: lengths are then positive. */
export const DOWNWARDS = [0, 0, 1, 0] as const;

export const ball = icosphere({ radius: 0.14, subdivisions: 2 });
/** A rod that hangs from its joint, y down. */
export function rod(length: number): ReturnType<typeof cylinder> {
  const mesh = cylinder({ radius: 0.03, height: length, segments: 12 });
  return { ...mesh, positions: mesh.positions.map((x, k) => (k % 3 === 1 ? x + length / 2 : x)) };
}

/** How a pendulum is seen. */
export interface View {
  readonly renderer: SceneRenderer;
  /** Pixels across and down. */
  readonly size: number;
  /** Metres from what it looks at. */
  readonly distance: number;
  /** Default the joint that hangs on the world. */
  readonly target?: readonly [number, number, number];
}

/** A scene with a camera, level. */
export function filmedScene(plugins: readonly Plugin[], { renderer, size, distance, target = [0, 0, 0] }: View): Scene {
  const scene = createScene([
    ...plugins,
    render({ width: size, height: size }),
    renderer({ softness: (1 / size) ** 2, depthSoftness: 3e-3, near: 0.5, far: 20 }),
  ]);
  scene.add(OrbitCamera, { target, distance, elevation: 0, azimuth: 0, fieldOfView: 0.8 });
  return scene;
}

export interface Timeline {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
}

/** A stage that compares all frames with the film of a model whose values are the true ones. */
export async function filmedStage(
  name: string,
  { model, truth, timeline, device }: { model: Model; truth: Model; timeline: Timeline; device: Device },
  rest: Pick<Problem, 'parameters' | 'ties' | 'derived' | 'options'> & Pick<Stage, 'notes'>,
): Promise<Stage> {
  const { notes, ...problem } = rest;
  const target = await filmOf(truth, timeline, device);
  return {
    name,
    notes,
    problem: { model, ...timeline, ...problem, observations: [{ field: 'pixels.rgba', target }] },
    strip: ({ predicted }: Estimate) => {
      const layout = layoutOf(model);
      const { width, height } = layout;
      const frames = Array.from({ length: 6 }, (_, k) => Math.round((k * (timeline.frames - 1)) / 5));
      const words = layout.pixels * 4;
      const colors = (film: ArrayLike<number>): Float32Array => {
        const pictures = frames.map((f) =>
          toRows(
            layout,
            Float32Array.from({ length: words }, (_, k) => film[f * words + k]),
            4,
          ).filter((_, k) => k % 4 !== 3),
        );
        const all = new Float32Array(pictures.length * width * height * 3);
        pictures.forEach((picture, k) => {
          all.set(picture, k * width * height * 3);
        });
        return all;
      };
      return { width, height, frames, target: colors(target), estimate: colors(predicted['pixels.rgba']) };
    },
  };
}

/** @throws where a film is given: these experiments make theirs, of known truth. */
export function refuseFilm(experiment: string, video: string | undefined): void {
  if (video !== undefined)
    throw new Error(`The experiment ${experiment} makes its own film, and takes no --video (${video}).`);
}
