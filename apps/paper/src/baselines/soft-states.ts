import { caseStudy } from '../table-3/case-study.ts';
import { softCase } from '../table-3/soft.ts';

/** DiffPhysics of Table 3: the same soft bodies and cloth, from positions of all vertices in every frame. */
export default caseStudy({
  'soft block': softCase('mass', 'positions'),
  ball: softCase('ball', 'positions'),
  beam: softCase('beam', 'positions'),
  cloth: softCase('cloth', 'positions'),
});
