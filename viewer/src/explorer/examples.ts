/** What can be looked at without knowing what to ask: each a state, with what there is to see in it. */
import type { Vec3 } from '../run/run';
import { figureFiles } from './files';
import figures from './figures.json';
import { collideState, defaultLayers, depthState, type Layer, type Pose, type Quat, type State } from './state';

export interface Example { key: string; title: string; about: string; state: State }
export interface Group { title: string; examples: Example[] }

const at = (...position: Vec3): Pose => ({ position, rotation: [0, 0, 0, 1] });
/** Turned about a unit axis by degrees. */
const turned = (position: Vec3, axis: Vec3, degrees: number): Pose => {
  const half = (degrees * Math.PI) / 360, digits = (x: number) => Number(x.toFixed(10)) + 0;
  return { position, rotation: [...axis.map((x) => digits(x * Math.sin(half))), digits(Math.cos(half))] as Quat };
};
const withLayers = (...more: Layer[]) => ({ ...defaultLayers(), ...Object.fromEntries(more.map((layer) => [layer, true])) });

const CUBE = 'box:0.5,0.5,0.5', MESHES = 'scenes/meshes';

const convex: Example[] = [
  {
    key: 'quarter', title: 'A box, a quarter off', about: 'Two faces meet in a rectangle: four corners, each with its own gap.',
    state: collideState(CUBE, CUBE, { poseA: at(0.25, 0.25, 0.99) }),
  },
  {
    key: 'turned', title: 'A turned, slightly tilted cube', about: 'Two squares meet in a polygon of eight corners; some are apart, within the margin.',
    state: collideState(CUBE, CUBE, {
      poseA: { position: [0.03, 0.02, 0.997], rotation: [0.0090458, 0.0028879, 0.2588092, 0.965889] }, settings: { margin: 0.02 },
    }),
  },
  {
    key: 'edges', title: 'Edge on edge', about: 'The normal is square to both edges. On the sphere the two arcs cross where it points.',
    state: collideState(CUBE, CUBE, { poseA: turned([0.05, 0.08, 1.404], [1, 0, 0], 45), poseB: turned([0, 0, 0], [0, 1, 0], 45) }),
  },
  {
    key: 'vertex', title: 'Vertex on face', about: 'A vertex is a cell of the sphere, and the face a point in it.',
    state: collideState(CUBE, 'box:0.8,0.8,0.3', { poseA: turned([0.1, 0.05, 1.156], [0.7071067812, -0.7071067812, 0], 54.7356103172) }),
  },
  {
    key: 'prism', title: 'A prism of 32 sides stands', about: 'All 32 corners carry. Choose how many to keep, and see what area they still span.',
    state: collideState('prism:0.5,0.5,32', 'plane:0,0,1,0', { poseA: at(0, 0, 0.499), settings: { reduce: 4 } }),
  },
  {
    key: 'cylinder', title: 'A cylinder stands', about: 'A disc on a plane: points around the rim carry.',
    state: collideState('cylinder:0.5,0.5', 'plane:0,0,1,0', { poseA: at(0, 0, 0.499) }),
  },
  {
    key: 'cone', title: 'A cone lies on a box', about: 'It touches along one line of its side: the two ends on the box make the patch.',
    state: collideState('cone:0.5,1', 'box:0.8,0.8,0.3', { poseA: turned([0.35, 0, 0.63], [0, -1, 0], 116), settings: { margin: 0.05, featureAngle: 4 } }),
  },
  {
    key: 'pyramid', title: 'A pyramid lies on a box', about: 'One of its 24 sides is a face on a face.',
    state: collideState('pyramid:0.5,1,24', 'box:0.8,0.8,0.3', { poseA: turned([0.35, 0, 0.63], [0, -1, 0], 116), settings: { margin: 0.05, featureAngle: 4 } }),
  },
  {
    key: 'hull', title: 'Hulls of points', about: 'Any points: their convex hull touches another.',
    state: collideState('hull:0.5,0.5,-0.4,-0.5,0.5,-0.4,-0.5,-0.5,-0.4,0.5,-0.5,-0.4,0.3,0,0.5,-0.3,0.1,0.5', 'hull:0.6,0.3,0.4,-0.6,0.3,0.4,-0.6,-0.3,0.4,0.6,-0.3,0.4,0,0.5,-0.4,0,-0.5,-0.4', {
      poseA: turned([0.1, 0.1, 0.79], [0, 0, 1], 35),
    }),
  },
  {
    key: 'capsule', title: 'A capsule lies on a box', about: 'A segment grown by a radius: two contacts, one at each end of what lies on the face.',
    state: collideState('capsule:0.25,0.6', 'box:0.6,0.6,0.4', { poseA: turned([0.2, 0, 0.645], [0, 1, 0], 90) }),
  },
];

const smooth: Example[] = [
  {
    key: 'ellipsoids', title: 'Two ellipsoids', about: 'Smooth bodies touch in a point: the pair of points whose normals oppose each other along their line.',
    state: collideState('ellipsoid:0.8,0.5,0.35', 'ellipsoid:0.5,0.7,0.4', { poseA: turned([0.3, 0.2, 0.66], [0, 1, 0], 25), layers: withLayers('growth') }),
  },
  {
    key: 'superquadrics', title: 'Two superquadrics', about: 'Between boxes and balls.',
    state: collideState('superquadric:0.6,0.5,0.5,0.4,0.6', 'superquadric:0.7,0.7,0.4,0.5,1', { poseA: turned([0.3, 0.1, 0.99], [0.6, 0.8, 0], 30) }),
  },
];

const deep: Example[] = [
  {
    key: 'rim', title: 'Near the rim of a slab: about centroids', about: 'By depth relative to size the small cube is pushed out sideways, three times as far as upward. Choose “core”.',
    state: collideState(CUBE, 'box:4,4,0.5', {
      poseA: at(4.25, 0, 0.92), settings: { normal: 'growth', contraction: 'centroid', refine: false }, layers: withLayers('growth'),
    }),
  },
  {
    key: 'deep', title: 'Deep in each other', about: 'Growth distance without refinement; choose “least depth” and see how the normal and the depth change.',
    state: collideState('prism:0.5,0.7,12', 'prism:0.8,0.5,7', {
      poseA: turned([0.42, 0.2, 0.75], [0.6, 0.8, 0], 35), settings: { normal: 'growth', refine: false, contraction: 'centroid' }, layers: withLayers('growth', 'witness'),
    }),
  },
  {
    key: 'ties', title: 'A tie', about: 'A cube in the middle of another: six normals are equally right, and one is chosen by rule.',
    state: collideState('box:0.3,0.3,0.3', CUBE, {}),
  },
  {
    key: 'apart', title: 'Apart', about: 'No contact; the growth distance says how much both must grow to touch.',
    state: collideState(CUBE, 'prism:0.4,0.4,16', { poseA: turned([0.9, 0.3, 0.9], [0, 0, 1], 30), layers: withLayers('growth') }),
  },
];

const surfaces: Example[] = [
  {
    key: 'gears', title: 'Teeth of two gears', about: 'Each tooth is a convex part; contacts on faces that lie inside the union are dropped.',
    state: collideState(`${MESHES}/gear.obj`, `${MESHES}/gear_small.obj`, { poseA: at(0, 0, 0), poseB: at(0.34, 0, 0.01) }),
  },
  {
    key: 'stairs', title: 'A box on stairs', about: 'A mesh of triangles, touched as one surface.',
    state: collideState('box:0.4,0.3,0.2', `trimesh:${MESHES}/stairs.obj`, { poseA: turned([2.5, 0, 1.195], [0, 0, 1], 20), settings: { margin: 0.02 } }),
  },
  {
    key: 'pears', title: 'A ball on a pear', about: 'Rounded triangles: each stands for a piece of a sphere, and has its share of the contact circle.',
    state: collideState('sphere:0.005', `facetmesh:${MESHES}/pear.obj`, { poseA: at(0, 0, 0.013) }),
  },
];

const figureAbouts: Record<string, string> = {
  figure_1: 'A triangle farther away than the radius and the margin is not looked at.',
  figure_2: 'On a face the normal is the face’s.',
  figure_3: 'At an outer edge it points from the closest point to the middle of the ball.',
  figure_4: 'The nearer triangle voids the edge between the two: one contact is left. Choose the rule “closest” to see the ghost.',
  figure_5: 'At an outer vertex, likewise.',
  figure_6: 'The nearer triangle voids the corner that it shares with the other.',
  figure_7: 'T1 voids the contact of T2, and T2, though it made none, that of T3.',
  figure_8: 'No face touches: the vertex is nearest, and comes before the edge.',
  flat: 'On flat ground one contact, whatever the triangles.',
  ridge: 'One contact at the ridge; the triangles’ normals miss it.',
  valley: 'Two contacts: one with each slope.',
  cliff: 'An outer edge.',
  step: 'Two: the ground, and the edge of the step.',
  wall: 'Behind a wall: it faces the other way, and voids the floor’s edge. The published rule leaves a ghost.',
  t_junction: 'A corner in the middle of a side: no shared edge by name, but by place.',
  seam: 'Two meshes share nothing by name, and are one surface all the same.',
};

const meshFigures: Example[] = figures.meshes.map((figure) => {
  const files = figureFiles(figure.key).map((file) => `trimesh:${file}`);
  return {
    key: figure.key, title: figure.title, about: figureAbouts[figure.key] ?? '',
    state: collideState(`sphere:${figure.radius}`, files, {
      poseA: at(...(figure.middle as Vec3)), settings: { margin: figure.margin }, layers: withLayers('voided'),
    }),
  };
});

const corners = [...figures.tetrahedra.upper, ...figures.tetrahedra.lower].flat();
const tetrahedra: Example[] = [
  { key: 'both', title: 'Both deform', about: 'Either comes half of the way: only what is in the way moves far.', state: depthState(corners) },
  { key: 'static', title: 'B is static', about: 'Only A deforms, by 1/√6 of the rigid depth in the mean.', state: depthState(corners, { weightB: 'static' }) },
  { key: 'free', title: 'Any normal', about: 'The least of all directions; the 44 of faces and edges are as good as most.', state: depthState(corners, { mode: 'free' }) },
];

export const GROUPS: Group[] = [
  { title: 'Convex bodies', examples: convex },
  { title: 'Smooth bodies', examples: smooth },
  { title: 'Deep, apart, and ties', examples: deep },
  { title: 'Files of triangles', examples: surfaces },
  { title: 'Meshes without ghosts: figures of docs/methods/meshes.md', examples: meshFigures },
  { title: 'Tetrahedra that deform: docs/methods/depth.md', examples: tetrahedra },
];

export const EXAMPLES: Example[] = GROUPS.flatMap((group) => group.examples);
