import { type ServerOptions } from 'node:https';

import { type FaultRow, faultRow } from './fault-row';
import { withWireWorld, type WireWorld } from './wire-world';
import { type Situation } from './world';

/** A row about token-refresh, which gets a world in the seed's situation. */
interface TokenRow<Variant extends Situation> extends Pick<FaultRow<Variant>, 'id' | 'fault' | 'variant'> {
  run(world: WireWorld, variant: Variant): Promise<void>;
  /**
   * The variants to run, each in a new world.
   * @default the drawn one
   */
  variants?(variant: Variant): Variant[];
  /** The platform's certificate or TLS options. */
  server?(variant: Variant): Promise<ServerOptions>;
}

/** Creates the worlds of a row about token-refresh. */
export function tokenRow<Variant extends Situation>(row: TokenRow<Variant>): FaultRow {
  const { id, fault, variant } = row;
  return faultRow<Variant>({
    id,
    fault,
    variant,
    async run(drawn) {
      for (const each of row.variants?.(drawn) ?? [drawn]) {
        await withWireWorld(each, (world) => row.run(world, each), await row.server?.(each));
      }
    },
  });
}
