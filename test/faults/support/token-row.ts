import { type ServerOptions } from 'node:https';

import { type Draw } from './draw';
import { type FaultRow, faultRow } from './fault-row';
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
}

/** Creates the worlds of a row about token-refresh. */
export function tokenRow<Variant extends Situation>(row: TokenRow<Variant>): FaultRow {
  const { id, fault, variant } = row;
  return faultRow<Variant>({
    id,
    fault,
    variant,
    virtual: (drawn, draw) => row.virtual(new VirtualWorld(drawn, draw), drawn, draw),
    async wire(drawn) {
      for (const each of row.onWire?.(drawn) ?? [drawn]) {
        await withWireWorld(each, (world) => row.wire(world, each), await row.server?.(each));
      }
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
