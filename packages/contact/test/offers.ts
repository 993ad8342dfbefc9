import { buildModel, createScene } from '@gradsim/core';
import { BodiesThatTouch, PointsThatTouch } from '@gradsim/dynamics';
import { particles } from '@gradsim/particles';
import { rigid } from '@gradsim/rigid';

const model = buildModel(createScene([rigid(), particles()]));
/** Points that the plugin `particles` offers, for kernels created from an offer; `BODIES` are those of `rigid`. */
export const [POINTS] = model.offered(PointsThatTouch);
export const [BODIES] = model.offered(BodiesThatTouch);
