import { buildModel, createScene } from 'gradsim/core';
import {
  fitBallOutlines,
  givenBall,
  measuredCamera,
  observedOutlines,
  outlineFitStage,
  projectedOutline,
  startOfFlight,
  trackIn,
  vectorUnknowns,
} from 'gradsim/film';
import { cameraMeasures, defineKind, filmOf, gravityUnknown, movingFilmMeasures, worldMeasures } from 'gradsim/kinds';
import { ballInertia } from 'gradsim/mesh';
import { PinholeCamera } from 'gradsim/render';
import { Body, Gravity, gravity, rigid } from 'gradsim/rigid';

/** A ball in free flight, before it touches anything. */
export const drop = defineKind({
  name: 'drop',
  version: 1,
  title: 'A ball drops',
  finds: 'gravity from a ball that falls or flies freely, from a film of it',
  answers: ['gravity'],
  meaning: { gravity: 'the acceleration of free fall where the film was made' },
  moving: Body.position,
  drawing: '<circle class="thing" cx="80" cy="20" r="11"/><path class="path" d="M80 34V80"/>',
  measures: {
    ...movingFilmMeasures,
    radius: { what: 'Radius of the ball, m.', type: 'positive', quantity: 'length', isFirst: true },
    ...worldMeasures,
    ...cameraMeasures,
  },
  stages: async (measured, context) => {
    const film = await filmOf(measured, context);
    const camera = await measuredCamera(film, measured, ['tilt']);
    const { radius } = measured;

    // Where it is in the first frame, and how fast, from its track; then its outlines from all pixels.
    const track = trackIn(film.tracks, measured.track);
    const flight = startOfFlight(track, camera.view, { radius, gravity: [0, -9.81, 0] });
    const { position, velocity } = flight.at(0);
    const near = observedOutlines(film, track);
    const seen = await fitBallOutlines(film, camera.view, { approximate: near, signal: context.signal });

    // The model: a ball, before a camera.
    const centre = { camera: PinholeCamera, centre: Body.position, radius };
    const scene = createScene([rigid(), projectedOutline({ ...film.size, ...centre })]);
    scene.add(Body, { mass: 1, inertia: ballInertia(radius), position, velocity }, 'the ball');
    scene.add(Gravity, { acceleration: [0, -9.81, 0] });
    scene.add(PinholeCamera, camera.values, 'the camera');

    // The unknowns.
    const fall = gravityUnknown(gravity, { ...measured, gravity: null }, 9.81, 'Is the radius a radius?');
    const size = givenBall(radius, measured, { inertia: Body.inertia });
    return [
      outlineFitStage(film, buildModel(scene), {
        name: 'drop',
        substeps: 16,
        parameters: [
          ...fall.parameters,
          ...vectorUnknowns('position', Body.position, position, 0.05),
          ...vectorUnknowns('velocity', Body.velocity, velocity, 0.1),
          ...camera.parameters,
        ],
        given: [...size.given, ...camera.given],
        ties: [...fall.ties, ...size.ties, ...camera.ties],
        outlines: seen.outlines,
        sizeBias: seen.sizeBias,
        options: { checks: [seen.check] },
      }),
    ];
  },
});
