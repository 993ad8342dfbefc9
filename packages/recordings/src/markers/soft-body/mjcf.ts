import { norm, type Vector, vectorAt } from '@gradsim/base';
import { quadraticMesh } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';
import {
  type Constants,
  type Element,
  equilibriumOf,
  linearElements,
  massesOf,
  quadraticElements,
} from './elasticity.ts';
import { DASHPOT_TIME, type SoftMaterial } from './material.ts';

/** Substep of the written model, s. */
const MODEL_TIMESTEP = 0.0005;

/** A soft body that {@link formatSoftBody} writes. */
export interface WrittenSoftBody {
  readonly name: string;
  readonly mesh: TetMesh;
  /** Density, kg/m^3. */
  readonly density: number;
  /** True for vertices that the clamp holds. */
  readonly isClamped: (position: Vector) => boolean;
  /** Gravity in axes of the mesh, m/s^2. */
  readonly gravity: Vector;
  readonly material: SoftMaterial;
  /** Lines of a comment at the beginning, such as standard errors. */
  readonly remarks?: readonly string[];
}

/**
 * Writes a soft body as a model of MuJoCo: a `flexcomp` of the mesh's vertices and tetrahedra, pinned where it is clamped.
 * MuJoCo's tetrahedra are linear, and too stiff where a body bends. So `young` is the modulus at which these sag under gravity
 * as quadratic ones of the material do, and a comment says both. `damping` is what the dashpot and the arm damp at the frequency
 * of the first mode, since MuJoCo has no arms, less a substep, by which its implicit steps damp.
 *
 * ```ts
 * const text = formatSoftBody({ name: 'beam', mesh, density: 1070, isClamped, gravity: [0, 0, -9.81], material });
 * ```
 */
export function formatSoftBody({
  name,
  mesh,
  density,
  isClamped,
  gravity,
  material,
  remarks = [],
}: WrittenSoftBody): string {
  const { youngsModulus, poissonRatio } = material;
  const { share, frequency } = referenceValues({ mesh, density, isClamped, gravity, material });
  const omega = 2 * Math.PI * frequency;
  const arms = [
    { ratio: material.dashpot / DASHPOT_TIME, time: DASHPOT_TIME },
    { ratio: material.armRatio, time: material.relaxationTime },
  ];
  // Loss modulus over frequency and shear modulus.
  const damping = arms.reduce((sum, { ratio, time }) => sum + (ratio * time) / (1 + (omega * time) ** 2), 0);
  const vertices = mesh.positions.length / 3;
  const pinned = Array.from({ length: vertices }, (_, k) => k).filter((k) => isClamped(vectorAt(mesh.positions, k)));
  const mass = massesOf(linearElements(mesh), vertices, density).reduce((sum, m) => sum + m, 0);
  const comment = [
    ...remarks,
    `Young's modulus ${number(youngsModulus)} Pa: linear tetrahedra of this mesh bend as it does with ${share.toFixed(3)} of it.`,
    `Damping: ${number(damping)} s at the first mode, ${frequency.toFixed(2)} Hz, of which implicit steps bring ${MODEL_TIMESTEP} s. The integrator is that of MuJoCo 3.14; earlier ones had implicitfast.`,
  ];
  return `<!--
${comment.map((line) => `  ${line.replaceAll('--', '- -')}`).join('\n')}
-->
<mujoco model="${escaped(name)}">
  <option timestep="${MODEL_TIMESTEP}" integrator="discrete" gravity="${numbers(gravity)}"/>
  <size memory="200M"/>
  <worldbody>
    <flexcomp name="${escaped(name)}" type="direct" dim="3" mass="${number(mass)}" radius="0.0005"
      point="${numbers(mesh.positions)}"
      element="${mesh.tets.join(' ')}">
      <elasticity young="${number(share * youngsModulus)}" poisson="${number(poissonRatio)}" damping="${number(Math.max(0, damping - MODEL_TIMESTEP))}"/>
      <contact selfcollide="none" internal="false"/>
      <pin id="${pinned.join(' ')}"/>
    </flexcomp>
  </worldbody>
</mujoco>
`;
}

/**
 * Modulus at which linear elements sag as quadratic ones do, as a share of theirs, and the frequency of the first mode, Hz, by
 * Rayleigh's quotient of the sag u: omega^2 = u K u / u M u.
 */
function referenceValues({
  mesh,
  density,
  isClamped,
  gravity,
  material: { youngsModulus: E, poissonRatio: nu },
}: Pick<WrittenSoftBody, 'mesh' | 'density' | 'isClamped' | 'gravity' | 'material'>): {
  readonly share: number;
  readonly frequency: number;
} {
  const G = E / (2 * (1 + nu));
  const L = (E * nu) / ((1 + nu) * (1 - 2 * nu));
  const quadratic = quadraticMesh(mesh);
  const sagging = (elements: readonly Element[], positions: Float64Array, constants: Constants) => {
    const masses = massesOf(elements, positions.length / 3, density);
    const forces = Float64Array.from(positions, (_, k) => masses[Math.floor(k / 3)] * gravity[k % 3]);
    const u = equilibriumOf(elements, constants, forces, (node) => isClamped(vectorAt(positions, node)));
    const work = u.reduce((sum, x, k) => sum + x * forces[k], 0);
    const inertia = u.reduce((sum, x, k) => sum + masses[Math.floor(k / 3)] * x ** 2, 0);
    return { work, frequency: Math.sqrt(work / inertia) / (2 * Math.PI) };
  };
  const bending = sagging(quadraticElements(mesh, quadratic), quadratic.positions, { G, L: G, remainingBulk: L - G });
  const stiff = sagging(linearElements(mesh), Float64Array.from(mesh.positions), { G, L, remainingBulk: 0 });
  return { share: norm(gravity) > 0 ? stiff.work / bending.work : 1, frequency: bending.frequency };
}

const number = (x: number): string => String(Number(x.toPrecision(7)));
const numbers = (of: ArrayLike<number>): string => Array.from(of, number).join(' ');
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
