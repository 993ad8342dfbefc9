import { articulated, Gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import {
  fitBallOutlines,
  givenBall,
  measuredCamera,
  measuredScale,
  observedOutlines,
  oscillationIn,
  outlineFitStage,
  placeUnknowns,
  projectedOutline,
} from '@gradsim/film';
import { filmOf, type KindContext, type MeasuredBy } from '@gradsim/kinds/define';
import { ballInertia } from '@gradsim/mesh';
import type { Stage } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { springAndMass } from './hung.ts';
import type { measures } from './measures.ts';
import { sizedAtRest } from './sizes.ts';

/** Angle by which the oscillation goes on in a substep, rad: its period is then right to 6e-6, (w dt)^2 / 24. */
const SUBSTEP_ANGLE = 0.012;
/** Options shared by the parameters of the spring's joint, element 0 of the links. */
const JOINT = { elements: [0] };

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { log, signal } = context;
  // Observations: the oscillation of the ball and its outlines from all pixels.
  const film = await filmOf(measured, context);
  const camera = await measuredCamera(film, measured, ['tilt']);
  const scale = measuredScale(film.size, camera, film.marked(measured));
  const { track, start } = oscillationIn(film.tracks, measured.track, camera.view, scale.radius);
  const { restPosition, displacement, rate, frequency } = start;
  const radius = measured.radius ?? start.radius;
  log(`the ball, track ${track.name}, bobs ${(frequency / (2 * Math.PI)).toFixed(2)} times a second`);
  const seen = await fitBallOutlines(film, camera.view, { approximate: observedOutlines(film, track), signal });

  // The model: a ball that a spring pulls to its place of rest, up and down. Gravity moves that place alone.
  const { stiffness, mass, movedMass, ...load } = springAndMass(measured, frequency);
  const scene = createScene([
    articulated(),
    projectedOutline({ ...film.size, camera: PinholeCamera, centre: Link.position, radius, element: 0 }),
  ]);
  scene.add(
    Link,
    {
      joint: 'prismatic',
      axis: [0, 1, 0],
      anchor: restPosition,
      coordinate: displacement,
      rate,
      mass,
      stiffness,
      inertia: ballInertia(radius),
    },
    'the ball',
  );
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  scene.add(PinholeCamera, camera.values, 'the camera');

  // The unknowns. It may sway to the sides, of which its heights know nothing: columns are not compared.
  const lengths = scale.lengths({ radius });
  const size = givenBall(radius, measured, { inertia: Link.inertia });
  const place = placeUnknowns(camera, scale, {
    name: 'rest',
    field: Link.anchor,
    position: restPosition,
    isUpright: true,
  });
  return [
    outlineFitStage(film, buildModel(scene), {
      name: 'spring',
      substeps: Math.ceil(frequency / film.frameRate / SUBSTEP_ANGLE),
      parameters: [
        ...load.parameters,
        { name: 'damping', transform: 'log', initial: 0.1, unit: '1/s' },
        { name: 'displacement', field: Link.coordinate, initial: displacement, scale: 0.02, unit: 'm', ...JOINT },
        { name: 'rate', field: Link.rate, initial: rate, scale: 0.1, unit: 'm/s', ...JOINT },
        ...[...place.parameters, ...lengths.parameters, ...camera.parameters],
      ],
      given: [...load.given, ...lengths.given, ...camera.given],
      ties: [
        ...[...camera.ties, ...size.ties, ...place.ties],
        ...load.ties,
        // y'' = ... - d / m y', so that amplitudes decay as exp(-d / (2 m) t).
        { field: Link.damping, compute: (v) => 2 * v.damping * movedMass(v) },
      ],
      derived: load.derived,
      outlines: sizedAtRest(seen.outlines),
      sizeBias: seen.sizeBias,
      hasColumns: false,
      options: { search: { horizons: [0.2, 0.4, 0.7, 1] }, checks: [seen.check] },
    }),
  ];
}
