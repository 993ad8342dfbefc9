import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { box, icosphere } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';
import { createFrames } from '@gradsim/video';
import { afterAll, describe, expect, it } from 'vitest';
import { mainFrequency, softnessOf } from '../src/films/beam.ts';
import { pointAt, pointAtHeight, seenFrom } from '../src/films/camera.ts';
import { sharpened } from '../src/films/edges.ts';
import { ballOutline, meshOutline } from '../src/films/outline.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.dispose());
const CAMERA = { eye: [0.3, 0.8, 2.5], target: [0, 0.4, 0], fieldOfView: 0.7, width: 480, height: 360 };

describe('outlines', () => {
  it('of a ball agree, as an ellipse and as the sum of a fine mesh', async () => {
    const position = [0.5, 0.7, 0.4];
    const mesh = icosphere({ radius: 0.2, subdivisions: 5 });
    const read = async (plugin: ReturnType<typeof ballOutline>): Promise<Float64Array> => {
      const scene = createScene([rigid(), plugin]);
      scene.add(Body, { mesh, mass: 1, position });
      const simulation = await createSimulation(buildModel(scene), {
        ...{ device, frames: 1, frameRate: 30, substeps: 1, record: ['world.outline'] },
      });
      simulation.forward();
      const found = Float64Array.from(await simulation.readFrames('world.outline'));
      simulation.dispose();
      return found;
    };
    const ellipse = await read(ballOutline(CAMERA, 0.2, Body.position, 0, '@gradsim/rigid'));
    const sum = await read(meshOutline(CAMERA, mesh.triangles));
    for (const c of [0, 1, 2]) expect(Math.abs(ellipse[c] - sum[c])).toBeLessThan(0.05);
  });

  it('of a box before the camera are those of its front', async () => {
    const mesh = box({ size: [0.4, 0.2, 0.1] });
    const camera = { ...CAMERA, eye: [0, 0, 2], target: [0, 0, 0] };
    const scene = createScene([rigid(), meshOutline(camera, mesh.triangles)]);
    scene.add(Body, { mesh, mass: 1 });
    const simulation = await createSimulation(buildModel(scene), {
      ...{ device, frames: 1, frameRate: 30, substeps: 1, record: ['world.outline'] },
    });
    simulation.forward();
    const [x, y, size] = await simulation.readFrames('world.outline');
    simulation.dispose();
    expect(x).toBeCloseTo(240, 3);
    expect(y).toBeCloseTo(180, 3);
    const focal = 180 / Math.tan(0.35);
    expect(size).toBeCloseTo(Math.sqrt((0.4 * 0.2) / Math.PI) * (focal / 1.95), 2);
  });

  it('are found to a tenth of a pixel of a blurred disc on a slope of light', () => {
    const picture = createFrames({ width: 80, height: 60, channels: 3, frameRate: 30 }, 1);
    const whole = new Uint8Array(80 * 60);
    const [x, y, radius] = [41.3, 28.8, 14.6];
    for (let p = 0; p < whole.length; p++) {
      const far = Math.hypot((p % 80) + 0.5 - x, Math.floor(p / 80) + 0.5 - y) - radius;
      // Blurred over two pixels to either side; what is rough is two pixels too large.
      const part = Math.min(Math.max(0.5 - far / 4, 0), 1);
      whole[p] = Number(far < 2);
      const behind = 0.3 + 0.002 * (p % 80);
      picture.data.set([part * 0.6 + (1 - part) * behind, (1 - part) * behind, (1 - part) * behind], 3 * p);
    }
    const found = sharpened({ x: x + 0.5, y: y - 0.4, size: radius + 2 }, whole, picture);
    expect(Math.abs(found.x - x)).toBeLessThan(0.1);
    expect(Math.abs(found.y - y)).toBeLessThan(0.1);
    expect(Math.abs(found.size - radius)).toBeLessThan(0.1);
  });
});

describe('the camera', () => {
  it('sees the same from other axes', () => {
    const [sine, cosine] = [Math.sin(0.4), Math.cos(0.4)];
    const axes = [
      [cosine, -sine, 0],
      [sine, cosine, 0],
      [0, 0, 1],
    ];
    const origin = [0.1, 0.2, -0.3];
    const point = pointAt(CAMERA, 130, 220, 2);
    const away = point.map((c, k) => c - origin[k]);
    const turned = axes.map((axis) => axis.reduce((sum, c, k) => sum + c * away[k], 0));
    pointAt(seenFrom(CAMERA, axes, origin), 130, 220, 2).forEach((c, k) => {
      expect(c).toBeCloseTo(turned[k], 12);
    });
    expect(pointAtHeight(CAMERA, 130, 300, 0.1)[1]).toBeCloseTo(0.1, 12);
  });
});

describe('what follows from what is estimated', () => {
  it('counts how much softer a truss is than the beam it stands for: some per cent, whatever its stiffness', async () => {
    const size = { length: 0.9, width: 0.07, thickness: 0.05, density: 800 };
    const [soft, stiff] = [await softnessOf(size, 6e7, device), await softnessOf(size, 1.2e8, device)];
    console.info(`softness ${soft.toFixed(4)} and ${stiff.toFixed(4)}`);
    expect(soft).toBeGreaterThan(0.95);
    expect(soft).toBeLessThan(1);
    expect(Math.abs(stiff - soft)).toBeLessThan(0.004);
  });

  it('is the frequency of what swings', () => {
    const values = Array.from({ length: 45 }, (_, k) => 3 + Math.sin((2 * Math.PI * 4.37 * k) / 30 + 0.4));
    expect(mainFrequency(values, 30)).toBeCloseTo(4.37, 1);
  });
});
