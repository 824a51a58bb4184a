import { INTERFACES, SCOPES } from '../deployment/platform';
import { type TokenType, tokenTypeName } from '../tokens/token-key';

/**
 * Staging labels of credential secrets, besides AWS's own AWSCURRENT, AWSPREVIOUS and AWSPENDING.
 * A label is on at most one version, and moving it names the version that loses it. So `DescribeSecret` alone gives the
 * state of a rotation, without reading a value.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html (staging labels)
 */

/** The version that an operator staged for the next rotation. */
export const CANDIDATE_LABEL = 'LATCHKEY_CANDIDATE';
/** The pending version that the platform accepted. Only a version with this label is promoted. */
export const PROVEN_LABEL = 'LATCHKEY_PROVEN';
/** The pending version that the platform refused. */
export const REFUSED_LABEL = 'LATCHKEY_REFUSED';
/** The pending version that could not be tested: the platform gave no usable answer. */
export const UNTESTED_LABEL = 'LATCHKEY_UNTESTED';

/** The result of the last test of a pending version. */
export const OUTCOME_LABELS = [PROVEN_LABEL, REFUSED_LABEL, UNTESTED_LABEL] as const;
export type OutcomeLabel = (typeof OUTCOME_LABELS)[number];

/** Beside LATCHKEY_REFUSED: a declared token type that the client credentials lack, such as `LATCHKEY_LACKS_content/api-write`. */
export type LacksLabel = `LATCHKEY_LACKS_${string}`;

const TOKEN_TYPES = INTERFACES.flatMap((name) =>
  SCOPES[name].map((scope) => ({ interface: name, scope })),
);

export function lacksLabel(token: TokenType): LacksLabel {
  return `LATCHKEY_LACKS_${tokenTypeName(token, '/')}`;
}

/** The token types that a tested version lacks, by its labels. */
export function lackedTokenTypes(labels: readonly string[]): TokenType[] {
  return TOKEN_TYPES.filter((token) => labels.includes(lacksLabel(token)));
}

/** Every label that a test leaves on a version. */
export const TEST_LABELS: readonly (OutcomeLabel | LacksLabel)[] = [
  ...OUTCOME_LABELS,
  ...TOKEN_TYPES.map(lacksLabel),
];

/** The tag that says which kind of credential a secret holds. */
export const KIND_TAG = 'latchkey:kind';
