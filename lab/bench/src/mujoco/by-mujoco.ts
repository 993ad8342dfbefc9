import loadMujoco from '@mujoco/mujoco';
import { ARM, DRIVES, JOINTS, KINDS, TIMELINE } from './arm.ts';
import type { Residuals } from './gauss-newton.ts';

/** Relative step of the finite differences, in the logarithm of an unknown. */
const DIFFERENCE = 1e-6;

/** Runs of the arm by MuJoCo's WebAssembly, one thread. */
export interface MujocoArm {
  /** Joint angles by frame, rad: [frame][joint]. */
  run(values: readonly number[]): Float64Array;
  /** Residuals of the logarithms of the unknowns, and forward differences: a run more for each unknown. */
  residuals(measured: Float64Array): Residuals;
  dispose(): void;
}

export async function mujocoArm(): Promise<MujocoArm> {
  const mujoco = await loadMujoco();
  const model = mujoco.MjModel.from_xml_string(ARM);
  if (!model) throw new Error('MuJoCo does not open the arm.');
  const data = new mujoco.MjData(model);
  const run = (values: readonly number[]): Float64Array => {
    for (let k = 0; k < JOINTS; k++) {
      const [mass, damping, armature, stiffness] = values.slice(KINDS.length * k);
      // Body 0 is the world.
      model.body_mass[k + 1] = mass;
      model.dof_damping[k] = damping;
      model.dof_armature[k] = armature;
      model.jnt_stiffness[k] = stiffness;
    }
    mujoco.mj_setConst(model, data);
    mujoco.mj_resetData(model, data);
    const angles = new Float64Array(TIMELINE.frames * JOINTS);
    for (let f = 0; f < TIMELINE.frames; f++) {
      angles.set(data.qpos, f * JOINTS);
      data.ctrl.set(DRIVES[f]);
      for (let s = 0; s < TIMELINE.substeps; s++) mujoco.mj_step(model, data);
    }
    return angles;
  };
  return {
    run,
    residuals: (measured) => {
      const of = async (unknowns: readonly number[]): Promise<Float64Array> =>
        run(unknowns.map(Math.exp)).map((angle, k) => angle - measured[k]);
      return {
        residuals: of,
        withJacobian: async (unknowns) => {
          const residuals = await of(unknowns);
          const columns: Float64Array[] = [];
          for (let k = 0; k < unknowns.length; k++) {
            const moved = await of(unknowns.with(k, unknowns[k] + DIFFERENCE));
            columns.push(moved.map((r, i) => (r - residuals[i]) / DIFFERENCE));
          }
          return { residuals, columns };
        },
      };
    },
    dispose: () => {
      data.delete();
      model.delete();
    },
  };
}
