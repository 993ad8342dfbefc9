import { buildModel, createSimulation, f64Device } from '@gradsim/core';
import { massProperties } from '@gradsim/mesh';
import { it } from 'vitest';
import { emptyScene, flyingTogether, throwBody } from './scenes.ts';

void massProperties;
it('sweep', async () => {
  const from = Number(process.env.FROM ?? 0),
    to = Number(process.env.TO ?? 10);
  let worstP = 0,
    worstL = 0,
    worstE = 0;
  for (let seed = from; seed < to; seed++) {
    const thrown = flyingTogether(seed);
    const scene = emptyScene();
    const mat = { ke: 4000, kd: Number(process.env.KD ?? 4), kf: 8, mu: 0.4 };
    for (const one of thrown) throwBody(scene, one, mat);
    const fps = 60,
      sub = Number(process.env.SUB ?? 64);
    let s;
    try {
      s = await createSimulation(buildModel(scene), {
        device: f64Device(),
        frames: 46,
        frameRate: fps,
        substeps: sub,
        record: [
          'bodies.velocity',
          'bodies.angularVelocity',
          'bodies.position',
          'bodies.orientation',
          'bodies.gyration',
          'bodies.totalMass',
        ].slice(0, 4),
      });
    } catch (e) {
      console.log(
        seed,
        thrown.map((t) => t.shape),
        (e as Error).message,
      );
      continue;
    }
    s.forward();
    const read = async (f: string) => [...(await s.readFrames(f))];
    const [v, w, x, q] = await Promise.all(
      ['bodies.velocity', 'bodies.angularVelocity', 'bodies.position', 'bodies.orientation'].map(read),
    );
    const I = [...(await s.read('bodies.gyration'))],
      m = [...(await s.read('bodies.totalMass'))];
    const rot = (q: number[], u: number[]) => {
      const [x, y, z, ww] = q;
      const t = [2 * (y * u[2] - z * u[1]), 2 * (z * u[0] - x * u[2]), 2 * (x * u[1] - y * u[0])];
      return [
        u[0] + ww * t[0] + y * t[2] - z * t[1],
        u[1] + ww * t[1] + z * t[0] - x * t[2],
        u[2] + ww * t[2] + x * t[1] - y * t[0],
      ];
    };
    const n = thrown.length;
    const at = (f: number) => {
      let E = 0;
      const P = [0, 0, 0],
        L = [0, 0, 0];
      for (let b = 0; b < n; b++) {
        const k = 3 * (f * n + b),
          kq = 4 * (f * n + b);
        const vv = v.slice(k, k + 3),
          wl = w.slice(k, k + 3),
          xx = x.slice(k, k + 3),
          qq = q.slice(kq, kq + 4);
        const conj = [-qq[0], -qq[1], -qq[2], qq[3]];
        const wb = rot(conj, wl);
        const Ib = [0, 1, 2].map(
          (i) =>
            m[b] * (I[9 * b + 3 * i] * wb[0] + I[9 * b + 3 * i + 1] * wb[1] + I[9 * b + 3 * i + 2] * wb[2]),
        );
        const Lw = rot(qq, Ib);
        E += 0.5 * m[b] * vv.reduce((s, c) => s + c * c, 0) + 0.5 * Ib.reduce((s, c, i) => s + c * wb[i], 0);
        const orb = [
          xx[1] * vv[2] - xx[2] * vv[1],
          xx[2] * vv[0] - xx[0] * vv[2],
          xx[0] * vv[1] - xx[1] * vv[0],
        ];
        for (let i = 0; i < 3; i++) {
          P[i] += m[b] * vv[i];
          L[i] += Lw[i] + m[b] * orb[i];
        }
      }
      return { E, P, L };
    };
    const a = at(0),
      z = at(45);
    const dP = Math.hypot(...a.P.map((p, i) => p - z.P[i])),
      dL = Math.hypot(...a.L.map((p, i) => p - z.L[i]));
    worstP = Math.max(worstP, dP);
    worstL = Math.max(worstL, dL);
    worstE = Math.max(worstE, z.E / a.E);
    if (dL > 2e-3 || z.E > a.E * 0.99999 || !(dP < 1e-10))
      console.log(seed, thrown.map((t) => t.shape).join(), 'E', a.E, z.E, 'dP', dP, 'dL', dL);
  }
  console.log('worst', { worstP, worstL, worstE });
}, 1000000);
