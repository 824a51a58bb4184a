import { type ServerOptions } from 'node:https';

import { type Draw } from './draw';
import { type FaultRow, faultRow, type Hole } from './fault-row';
import { VirtualWorld } from './virtual-world';
import { withWireWorld, type WireWorld } from './wire-world';
import { type Situation, type World } from './world';

/** A row about token-refresh. `virtual` and `wire` each get a world in the seed's situation. */
interface TokenRow<Variant extends Situation> extends Pick<FaultRow<Variant>, 'id' | 'fault' | 'variant'> {
  virtual(world: VirtualWorld, variant: Variant, draw: Draw): Promise<void>;
  wire(world: WireWorld, variant: Variant): Promise<void>;
  /**
   * The variants to run over the wire, each in a new world.
   * @default the drawn one
   */
  onWire?(variant: Variant): Variant[];
  /** The platform's certificate or TLS options over the wire. */
  server?(variant: Variant): Promise<ServerOptions>;
  hole: Hole<Variant> & ({ open(world: VirtualWorld): void } | { openOnWire(world: WireWorld): void });
}

/** Creates the worlds of a row about token-refresh. */
export function tokenRow<Variant extends Situation>(row: TokenRow<Variant>): FaultRow {
  const { id, fault, variant, hole } = row;
  const open = 'open' in hole ? hole.open : undefined;
  const openOnWire = 'openOnWire' in hole ? hole.openOnWire : undefined;
  const virtual = async (drawn: Variant, draw: Draw, prepare?: (world: VirtualWorld) => void) => {
    const world = new VirtualWorld(drawn, draw);
    prepare?.(world);
    await row.virtual(world, drawn, draw);
  };
  const wire = async (drawn: Variant, prepare?: (world: WireWorld) => void) => {
    for (const each of row.onWire?.(drawn) ?? [drawn]) {
      const run = (world: WireWorld) => {
        prepare?.(world);
        return row.wire(world, each);
      };
      await withWireWorld(each, run, await row.server?.(each));
    }
  };
  return faultRow<Variant>({
    ...{ id, fault, variant },
    virtual: (drawn, draw) => virtual(drawn, draw),
    wire: (drawn) => wire(drawn),
    hole: {
      words: hole.words,
      with: hole.with,
      where: open === undefined ? 'wire' : 'virtual',
      run: (drawn, draw) => (open === undefined ? wire(drawn, openOnWire) : virtual(drawn, draw, open)),
    },
  });
}

/** A row with the same steps in both worlds. */
export function inBothWorlds<Variant extends Situation>({
  run,
  ...row
}: Omit<TokenRow<Variant>, 'virtual' | 'wire'> & {
  run(world: World, variant: Variant): Promise<void>;
}): FaultRow {
  return tokenRow<Variant>({ ...row, virtual: run, wire: run });
}
