import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, timeOfFrame, usualRate } from '@gradsim/core';
import type { KindContext, MeasuredBy } from '@gradsim/kinds/define';
import { box, readMesh } from '@gradsim/mesh';
import type { Stage } from '@gradsim/optim';
import { nameOf, readTableFile } from '@gradsim/recordings/files';
import type { Poses } from '@gradsim/recordings/poses';
import { observedPoses, readPoses, startOfFreeFlight, startUnknowns, timelineOf } from '@gradsim/recordings/poses';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { measures } from './measures.ts';

/** Substeps of a frame at most so long, s: a touch lasts longer. */
const MAX_SUBSTEP = 3e-4;
const material = contactOf(Body);

/** Poses of the body, of those that the table has. */
async function recording(
  { poses, body, frameRate }: MeasuredBy<typeof measures>,
  { fileOf }: KindContext,
): Promise<Poses> {
  const table = await readTableFile(fileOf(poses), 'poses');
  const all = readPoses(table, {
    name: nameOf(table, poses),
    frameRate: frameRate ?? undefined,
  });
  const found = body === null && all.length === 1 ? all[0] : all.find(({ name }) => name === body);
  if (found) return found;
  throw new Error(`${poses} has ${all.map(({ name }) => name).join(', ')}: name one of them as body in measured.ts.`);
}

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, fileOf } = context;
  const { size, mesh, mass, inertia, gravity, floor, up, positionNoise, angleNoise } = measured;
  const poses = await recording(measured, context);
  const flight = startOfFreeFlight(poses, { gravity, ...(inertia ? { inertia } : {}) });
  if (flight.contact === null) throw new Error(`${poses.name} is in free flight to its end: it touches nothing.`);
  const timeline = timelineOf(poses, flight.frame);
  const seconds = (frame: number): string => timeOfFrame(poses, frame).toFixed(3);
  log(`${poses.name}: ${poses.readingNotes}`);
  log(
    `free flight from ${seconds(flight.frame)} to ${seconds(flight.contact)} s, ${timeOfFrame(timeline, timeline.frames - 1).toFixed(3)} s in all`,
  );
  const start = startUnknowns(flight);
  const tensor = inertia ? { inertia: [inertia[0], 0, 0, 0, inertia[1], 0, 0, 0, inertia[2]] } : {};

  // The model: a body above a floor. Its vertices touch.
  const scene = createScene([rigid(), contact()]);
  const shape = mesh === null ? box({ size: size! }) : await readMesh(fileOf(mesh));
  const body = scene.add(Body, { mesh: shape, mass, ...tensor, ...start.state }, 'the body');
  scene.attach(body, material, { restitution: 0.3, duration: 0.01, mu: 0.3 });
  scene.add(HalfSpace, { normal: up, offset: floor }, 'the floor');
  scene.add(Gravity, { acceleration: gravity });
  return [
    {
      name: 'body',
      problem: {
        model: buildModel(scene),
        ...timeline,
        // Frames at uneven times are up to one and a half of the usual ones.
        substeps: Math.ceil((timeline.frameTimes ? 1.5 : 1) / (usualRate(timeline) * MAX_SUBSTEP)),
        parameters: [
          ...start.parameters,
          { name: 'mu', field: material.mu, transform: 'log', initial: 0.3, range: [0.01, 2] },
          { name: 'restitution', field: material.restitution, transform: 'log', initial: 0.3, range: [0.02, 0.98] },
          {
            name: 'duration',
            field: material.duration,
            transform: 'log',
            initial: 0.01,
            range: [0.004, 0.05],
            unit: 's',
          },
        ],
        arrays: start.arrays,
        observations: observedPoses(poses, {
          position: positionNoise ?? 'measured',
          orientation: angleNoise === null ? 'measured' : (angleNoise * Math.PI) / 180,
          first: flight.frame,
        }),
        options: { search: { method: 'levenberg-marquardt', horizons: 'growing' } },
      },
    },
  ];
}
