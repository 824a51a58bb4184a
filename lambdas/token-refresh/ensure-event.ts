import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { isJsonObject } from '../../core/json/json-object';
import { DUE_BELOW_SEC } from '../../core/tokens/lifetimes';
import { wrongTokenFields } from '../../core/tokens/key-check';
import {
  deploymentText,
  isSameTokenType,
  tenantKeyOf,
  type TokenKey,
  tokenKeyOf,
  tokenName,
  type TokenType,
} from '../../core/tokens/token-key';
import { type EnsureEvent } from '../../core/tokens/token-refresh';
import { describeValue, unknownField, wrongValue } from '../../core/events/event-values';
import { TokenError } from '../../core/tokens/token-errors';

const DEFAULT_MIN_VALIDITY_SEC = 60;

const ENSURE_FIELDS = [
  'action',
  'tenantId',
  'interface',
  'scope',
  'minValiditySec',
  'rejectedTokenSha256',
  'byOperator',
];

export interface EnsureRequest {
  key: TokenKey;
  minValidityMs: number;
  rejectedTokenSha256: string | undefined;
  byOperator?: boolean;
}

/**
 * Parses an event of token-refresh.
 * @throws {TokenError} `invalid_request`, with the field, the value found and the allowed values; or `unknown_token_key`
 */
export function parseEnsureEvent(event: unknown, deployment: DeploymentFile): EnsureRequest {
  if (!isJsonObject(event)) throw invalid('event', event, 'an object');
  if (event.action !== 'ensure') throw invalid('action', event.action, '"ensure"');
  const unknown = unknownField(event, ENSURE_FIELDS);
  if (unknown !== undefined) throw new TokenError('invalid_request', unknown);
  const {
    tenantId,
    interface: platformInterface,
    scope,
    minValiditySec,
    rejectedTokenSha256,
    byOperator = false,
  } = event as Partial<Record<keyof EnsureEvent, unknown>>;
  const declared = `the configuration of ${deploymentText(deployment)} declares`;
  if (typeof tenantId !== 'string') throw invalid('tenantId', tenantId, `a tenant that ${declared}`);
  const tokenType = { interface: platformInterface, scope } as TokenType;
  const { issuer } = deployment;
  const [wrong] = wrongTokenFields({ issuer, ...tokenType });
  if (wrong?.field === 'interface') throw invalid('interface', platformInterface, wrong.allowed);
  if (wrong !== undefined) {
    const where = issuer === undefined ? `on ${tokenType.interface} ` : '';
    throw invalid('scope', scope, `${where}${wrong.allowed}`);
  }
  requireMinValidity(minValiditySec);
  requireDigest(rejectedTokenSha256);
  if (typeof byOperator !== 'boolean') throw invalid('byOperator', byOperator, 'true or false');

  const tenant = deployment.tenants.find((candidate) => candidate.tenantId === tenantId);
  if (tenant === undefined) {
    throw unknownKey(wrongValue('tenantId', tenantId, `a tenant that ${declared}`));
  }
  if (!tenant.tokens.some((token) => isSameTokenType(token, tokenType))) {
    const tokens = tenant.tokens.map(tokenName).join(', ');
    throw unknownKey(
      `interface and scope: found ${tokenName(tokenType)}; ` +
        `allowed: what ${declared} for this tenant: ${tokens}`,
    );
  }
  return {
    key: tokenKeyOf(tenantKeyOf(deployment, tenantId), tokenType),
    minValidityMs: (minValiditySec ?? DEFAULT_MIN_VALIDITY_SEC) * 1000,
    rejectedTokenSha256,
    byOperator,
  };
}

function requireMinValidity(value: unknown): asserts value is number | undefined {
  const isAllowed = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= DUE_BELOW_SEC;
  if (value !== undefined && !isAllowed)
    throw invalid('minValiditySec', value, `whole seconds from 0 to ${DUE_BELOW_SEC}`);
}

function requireDigest(value: unknown): asserts value is string | undefined {
  if (value === undefined || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value))) return;
  // Not shown, because the field may hold the token itself by mistake.
  const found = typeof value === 'string' ? `a string of ${value.length} characters` : describeValue(value);
  throw new TokenError(
    'invalid_request',
    `rejectedTokenSha256: found ${found}; allowed: 64 lower-case hexadecimal digits, the SHA-256 of the token`,
  );
}

function unknownKey(message: string): TokenError {
  return new TokenError('unknown_token_key', message);
}

function invalid(field: string, found: unknown, allowed: string): TokenError {
  return new TokenError('invalid_request', wrongValue(field, found, allowed));
}
