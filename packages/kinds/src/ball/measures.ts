import {
  ballMeasures,
  cameraMeasures,
  gravityMeasures,
  lengthMeasures,
  type Measures,
  massMeasures,
  movingFilmMeasures,
} from '@gradsim/kinds/define';

/** Measurements of a ball. */
export const measures = {
  ...movingFilmMeasures,
  ...ballMeasures,
  ...massMeasures,
  ...gravityMeasures,
  ...lengthMeasures,
  ...cameraMeasures,
} as const satisfies Measures;
