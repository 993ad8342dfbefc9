import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

describe('an estimate of the friction coefficient mu', () => {
  /** Estimates from half a second of a crate that slides, pushed along by a tilted gravity. */
  async function estimated(angle: number) {
    const scene = createScene([rigid(), contact()]);
    const body = scene.add(Body, {
      mesh: box({ size: [0.1, 0.1, 0.1] }),
      mass: 0.4,
      position: [0, 0.04986, 0],
    });
    scene.attach(body, contactOf(Body), { restitution: 0.3, duration: 0.02, mu: 0.35 });
    scene.add(HalfSpace, {});
    scene.add(Gravity, { acceleration: [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0] });
    const model = buildModel(scene);
    const run = { frames: 16, frameRate: 30, substeps: 60 };
    const device = cpuDevice({ threads: 1 });
    const simulation = await createSimulation(model, { ...run, device, record: ['bodies.position'] });
    simulation.forward();
    const target = await simulation.readFrames('bodies.position');
    return estimate(
      {
        model,
        ...run,
        parameters: [
          { name: 'mu', field: contactOf(Body).mu, transform: 'log', initial: 0.4, range: [0.3, 0.6] },
          { name: 'vx', field: Body.velocity, component: 0, initial: 0, scale: 0.01 },
        ],
        observations: [{ field: Body.position, target, noise: 1e-4 }],
      },
      { device },
    );
  }
  it('reports that nothing slid if that is why mu is undetermined', async () => {
    const { parameters, verdict } = await estimated(0.05);
    expect(parameters.mu.determinedBy).toBe('nothing');
    expect(verdict.findings.find(({ kind }) => kind === 'undetermined')?.note).toContain(
      'Friction goes by mu where something slides, and nothing that was seen does',
    );
  });
  it('finds mu if something slides', async () => {
    const { parameters, verdict } = await estimated(0.5);
    expect(parameters.mu.estimate).toBeCloseTo(0.35, 3);
    expect(verdict.findings.map(({ kind }) => kind)).not.toContain('undetermined');
  });
});
