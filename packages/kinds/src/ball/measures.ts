import {
  ballMeasures,
  cameraMeasures,
  gravityMeasures,
  lengthMeasures,
  type Measures,
  movingFilmMeasures,
} from '@gradsim/kinds/define';

/** Measurements of a ball. */
export const measures = {
  ...movingFilmMeasures,
  ...ballMeasures,
  ...gravityMeasures,
  ...lengthMeasures,
  ...cameraMeasures,
} as const satisfies Measures;
