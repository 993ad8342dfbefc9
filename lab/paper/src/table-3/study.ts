import { caseStudy } from './case-study.ts';
import { softCase } from './soft.ts';
import { swingCase } from './swing.ts';
import { tinyMass } from './tiny-mass.ts';

/** Study of Table 3. */
export default caseStudy({
  beam: softCase('beam'),
  ball: softCase('ball'),
  'soft block': softCase('mass'),
  cloth: softCase('cloth'),
  pendulum: swingCase(1),
  'double pendulum': swingCase(2),
  'tiny mass': tinyMass,
});
