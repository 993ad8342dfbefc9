'use client';

import { HalfSpace, impactOf, impacts } from 'gradsim/contact';
import { buildModel, createScene, createSimulation, selectDevice } from 'gradsim/core';
import { icosphere } from 'gradsim/mesh';
import { Body, rigid } from 'gradsim/rigid';
import { useEffect, useRef } from 'react';

/** A ball that bounces, in a canvas: 200 pixels a metre, the floor at the lower edge. */
export function Ball() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const end = new AbortController();
    play(canvas.current!, end.signal);
    return () => end.abort();
  }, []);
  return <canvas ref={canvas} width={600} height={240} />;
}

async function play(canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  const scene = createScene([rigid(), impacts()]);
  const mesh = icosphere({ radius: 0.1 });
  const ball = scene.add(Body, { mesh, mass: 0.1, position: [0, 1, 0], velocity: [0.3, 0, 0] });
  scene.attach(ball, impactOf(Body), { radius: 0.1, restitution: 0.8, mu: 0.2 });
  scene.add(HalfSpace, {});
  const device = await selectDevice('cpu');
  const simulation = await createSimulation(buildModel(scene), { device, frameRate: 60, substeps: 4 });

  const context = canvas.getContext('2d')!;
  const position = new Float32Array(3);
  const draw = (): void => {
    if (signal.aborted) {
      simulation.dispose();
      device.dispose();
      return;
    }
    simulation.step();
    simulation.readSync(Body.position, { into: position });
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.beginPath();
    context.arc(100 + 200 * position[0], canvas.height - 200 * position[1], 20, 0, 2 * Math.PI);
    context.fill();
    requestAnimationFrame(draw);
  };
  draw();
}
