import '../ui/style.css';
import { ASLEEP, AWAKE, emptyContacts, type Cast, type Frame } from '../run/run';
import { BodyLayer } from '../scene/bodies';
import { BoundsLayer } from '../scene/bounds';
import { ContactLayer } from '../scene/contacts';
import { Stage } from '../scene/stage';
import { need } from '../ui/dom';
import { themeButton } from '../ui/theme';

need('tools').append(themeButton());
const box = [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1].map((x) => x / 2);
const cast: Cast = {
  bodies: [0, 1, 2].map((shape) => ({ name: 'b' + shape, kind: shape ? 'dynamic' : 'static', shape, mass: 1, friction: 0.5, restitution: 0, centre: [0, 0, 0] })),
  shapes: [
    { kind: 'plane', normal: [0, 0, 1], offset: 0 },
    { kind: 'box', vertices: box, face_first: [0, 4, 8, 12, 16, 20, 24], face_vertices: [0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6] },
    { kind: 'capsule', radius: 0.3, half_length: 0.4 },
  ],
  gravity: [0, 0, -9.81],
  size: 0.5,
};
const contacts = emptyContacts(4);
[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].forEach(([x, y], i) => {
  contacts.a[i] = 1; contacts.b[i] = 0; contacts.normalForce[i] = 1; contacts.gap[i] = -0.001 * i;
  contacts.onA.set([x, y, 0], 3 * i); contacts.onB.set([x, y, 0], 3 * i); contacts.normal.set([0, 0, 1], 3 * i);
});
const frame: Frame = {
  index: 0, step: 0, time: 0, poses: Float64Array.from([0, 0, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0, 1, 1.2, 0.3, 0.7, 0, 0, 0, 1]),
  presence: Uint8Array.from([ASLEEP, AWAKE, AWAKE]), velocities: null, contacts, vertices: null,
};
const stage = new Stage(need('views'), 'Scene', cast.gravity);
const bodies = new BodyLayer(stage, cast, 4), touches = new ContactLayer(stage, cast), bounds = new BoundsLayer(stage, cast);
touches.shown.forces = true;
bounds.setShown(true);
bodies.show(frame); touches.show(frame); bounds.show(frame);
stage.fit(bodies.bounds(frame)!);
