import { type FaultRow, faultRow, type Hole } from '../support/fault-row';
import { type RotationSituation, type RotationWorld } from './rotation-world';
import { VirtualRotationWorld } from './virtual-rotation';
import { withWireRotation } from './wire-rotation';

/** A row about a rotation, with the same steps in both worlds. */
export function rotationRow<Variant extends RotationSituation>({
  run,
  hole: { words, with: fixed, open },
  ...row
}: Omit<FaultRow<Variant>, 'virtual' | 'wire' | 'hole'> & {
  run(world: RotationWorld, variant: Variant): Promise<void>;
  hole: Hole<Variant> & { open(world: VirtualRotationWorld): void };
}): FaultRow {
  return faultRow<Variant>({
    ...row,
    virtual: (variant, draw) => run(new VirtualRotationWorld(variant, draw.next), variant),
    wire: (variant) => withWireRotation(variant, (world) => run(world, variant)),
    hole: {
      words,
      with: fixed,
      run(variant, draw) {
        const world = new VirtualRotationWorld(variant, draw.next);
        open(world);
        return run(world, variant);
      },
    },
  });
}
