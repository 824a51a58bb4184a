import { type Environment, type InterfaceScope, type PlatformRegion } from './platform';

/** One environment × one platform region: what one deployment serves. */
export interface Cell {
  environment: Environment;
  platformRegion: PlatformRegion;
}

/** A tenant in its cell. */
export interface TenantKey extends Cell {
  tenantId: string;
}

/** What names one access token. No two different keys share a secret. */
export type TokenKey = TenantKey & InterfaceScope;

/**
 * A text that no two different token keys share: the fields cannot run into one another.
 * For maps inside one process; secrets have names of their own.
 */
export function tokenKeyText(key: TokenKey): string {
  return JSON.stringify([key.environment, key.platformRegion, key.tenantId, key.interface, key.scope]);
}

/** The cell as people and stack names write it: `staging-mea`. */
export function cellName(cell: Cell): string {
  return `${cell.environment}-${cell.platformRegion}`;
}
