import { caseStudy } from '../table-3/case-study.ts';
import { softCase } from '../table-3/soft.ts';

/**
 * Study of DiffPhysics for Table 3: the same soft bodies and cloth, estimated from the positions of all vertices in
 * every frame.
 */
export default caseStudy({
  'soft block': softCase('mass', 'positions'),
  ball: softCase('ball', 'positions'),
  beam: softCase('beam', 'positions'),
  cloth: softCase('cloth', 'positions'),
});
