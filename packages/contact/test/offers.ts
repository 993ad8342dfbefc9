import { buildModel, createScene } from '@gradsim/core';
import { particles } from '@gradsim/particles';
import { BodiesThatTouch, PointsThatTouch } from '@gradsim/physics';
import { rigid } from '@gradsim/rigid';

const model = buildModel(createScene([rigid(), particles()]));
/** What `particles` and `rigid` offer, for kernels that are functions of it. */
export const [POINTS] = model.offered(PointsThatTouch);
export const [BODIES] = model.offered(BodiesThatTouch);
