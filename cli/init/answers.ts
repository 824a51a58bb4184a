import {
  type Environment,
  type PlatformInterface,
  type PlatformRegion,
  type Scope,
} from '../../core/deployment/platform';
import { type FlagsOf } from '../options';

/** The addresses of a deployment, by their fields in the configuration. */
export const ADDRESS_FIELDS = [
  'contentBaseUrl',
  'contentTokenBaseUrl',
  'webhooksBaseUrl',
  'webhooksTokenBaseUrl',
  'tenantServiceUrl',
] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];
export type Addresses = Partial<Record<AddressField, string>>;

/** The flags of `latchkey init`, each the answer to a question. */
export type InitFlags = FlagsOf<
  | AddressField
  | 'config'
  | 'app'
  | 'add'
  | 'yes'
  | 'environment:platform'
  | 'platformRegion:platform'
  | 'tenants'
  | 'contentScopes'
  | 'webhooksScopes'
  | 'restore'
  | 'account'
  | 'region'
  | 'alarmEmails'
>;

/** A token of a new tenant. */
export interface AnsweredToken {
  interface: PlatformInterface;
  scope: Scope;
}

/** A new deployment, or new tenants of an existing one. */
export interface AnsweredDeployment {
  environment: Environment;
  platformRegion: PlatformRegion;
  tenants: string[];
  tokens: AnsweredToken[];
  addresses: Addresses;
  hasRestore: boolean;
  account: string | undefined;
  region: string | undefined;
  alarmEmails: string[];
}
