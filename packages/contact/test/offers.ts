import { buildModel, createScene } from '@gradsim/core';
import { particles } from '@gradsim/particles';
import { BodiesThatTouch, PointsThatTouch } from '@gradsim/physics';
import { rigid } from '@gradsim/rigid';

const model = buildModel(createScene([rigid(), particles()]));
/** Offers of `particles` and `rigid`, for kernels that are functions of them. */
export const [POINTS] = model.offered(PointsThatTouch);
export const [BODIES] = model.offered(BodiesThatTouch);
