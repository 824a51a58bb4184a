import { type DeploymentFile } from '../../contract/deployment-file';
import { DUE_BELOW_SEC } from '../../contract/lifetimes';
import { type TokenType, INTERFACES, isTokenType, SCOPES } from '../../contract/platform';
import { type EnsureEvent, type SweepEvent } from '../../contract/token-refresh';
import { type TokenKey } from '../../contract/token-key';
import { TokenError } from '../shared/domain/token-errors';

/** What `ensure` guarantees where the caller does not say. */
const DEFAULT_MIN_VALIDITY_SEC = 60;

const ENSURE_FIELDS = ['action', 'tenantId', 'interface', 'scope', 'minValiditySec', 'rejectedTokenSha256'];

/** An `ensure` event whose every field has been checked. */
export interface EnsureRequest {
  action: 'ensure';
  key: TokenKey;
  minValidityMs: number;
  rejectedTokenSha256: string | undefined;
}

/**
 * Reads an event of token-refresh.
 * @throws {TokenError} `invalid_request`, naming field, value found and values allowed, or `unknown_token_key`
 */
export function parseEvent(event: unknown, deployment: DeploymentFile): EnsureRequest | SweepEvent {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new TokenError('invalid_request', `event: found ${show(event)}; allowed: an object`);
  }
  const { action } = event as Record<string, unknown>;
  if (action === 'sweep') return { action };
  if (action !== 'ensure') throw invalid('action', action, '"ensure", "sweep"');
  return parseEnsure(event as Record<string, unknown>, deployment);
}

function parseEnsure(event: Record<string, unknown>, deployment: DeploymentFile): EnsureRequest {
  const unknown = Object.keys(event).find((field) => !ENSURE_FIELDS.includes(field));
  if (unknown !== undefined) {
    throw new TokenError(
      'invalid_request',
      `${unknown.slice(0, 40)}: found a field of this name; allowed: ${ENSURE_FIELDS.join(', ')}`,
    );
  }
  const {
    tenantId,
    interface: platformInterface,
    scope,
    minValiditySec,
    rejectedTokenSha256,
  } = event as Partial<Record<keyof EnsureEvent, unknown>>;
  const { environment, platformRegion } = deployment;
  const declared = `the configuration of ${environment} ${platformRegion} declares`;
  if (typeof tenantId !== 'string') throw invalid('tenantId', tenantId, `a tenant that ${declared}`);
  const known = INTERFACES.find((name) => name === platformInterface);
  if (known === undefined) throw invalid('interface', platformInterface, INTERFACES.join(', '));
  const tokenType = { interface: known as string, scope: typeof scope === 'string' ? scope : '' };
  if (!isTokenType(tokenType)) throw invalid('scope', scope, `on ${known} ${SCOPES[known].join(', ')}`);
  if (
    minValiditySec !== undefined &&
    !(
      Number.isInteger(minValiditySec) &&
      Number(minValiditySec) >= 0 &&
      Number(minValiditySec) <= DUE_BELOW_SEC
    )
  ) {
    throw invalid('minValiditySec', minValiditySec, `whole seconds from 0 to ${DUE_BELOW_SEC}`);
  }
  if (
    rejectedTokenSha256 !== undefined &&
    (typeof rejectedTokenSha256 !== 'string' || !/^[0-9a-f]{64}$/.test(rejectedTokenSha256))
  ) {
    // Not shown: who mistakes the field may well have put the token itself there.
    const found =
      typeof rejectedTokenSha256 === 'string'
        ? `a text of ${rejectedTokenSha256.length} characters`
        : show(rejectedTokenSha256);
    throw new TokenError(
      'invalid_request',
      `rejectedTokenSha256: found ${found}; allowed: 64 lower-case hexadecimal digits, the SHA-256 of the token`,
    );
  }

  const tenant = deployment.tenants.find((candidate) => candidate.tenantId === tenantId);
  if (tenant === undefined) {
    throw unknownKey(`tenantId: found ${show(tenantId)}; allowed: a tenant that ${declared}`);
  }
  if (!tenant.tokens.some((token) => isSameTokenType(token, tokenType))) {
    const tokens = tenant.tokens.map((token) => `${token.interface} ${token.scope}`).join(', ');
    throw unknownKey(
      `interface and scope: found ${tokenType.interface} ${tokenType.scope}; ` +
        `allowed: what ${declared} for this tenant: ${tokens}`,
    );
  }
  return {
    action: 'ensure',
    key: { environment, platformRegion, tenantId, ...tokenType },
    minValidityMs: Number(minValiditySec ?? DEFAULT_MIN_VALIDITY_SEC) * 1000,
    rejectedTokenSha256,
  };
}

function isSameTokenType(a: TokenType, b: TokenType): boolean {
  return a.interface === b.interface && a.scope === b.scope;
}

function unknownKey(message: string): TokenError {
  return new TokenError('unknown_token_key', message);
}

function invalid(field: string, found: unknown, allowed: string): TokenError {
  return new TokenError('invalid_request', `${field}: found ${show(found)}; allowed: ${allowed}`);
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object')
    return Array.isArray(value) ? 'a list' : value === null ? 'null' : 'an object';
  return JSON.stringify(value).slice(0, 60);
}
