import { INTERFACES, SCOPES } from '../deployment/platform';
import { type TokenType, tokenTypeName, parseTokenTypeName } from '../tokens/token-key';

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

const LACKS = 'LATCHKEY_LACKS_';
/** Enough for every token type of the built-in platform. AWS allows 20 labels on the versions of a secret. */
const MAX_LACKS = 5;
/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html (VersionStage) */
const MAX_LABEL_LENGTH = 256;

const PLATFORM_TOKENS: TokenType[] = INTERFACES.flatMap((name) =>
  SCOPES[name].map((scope) => ({ interface: name, scope })),
);

/** The labels for the token types that credentials of an issuer lack: at most five, and none that is too long for AWS. */
export function lacksLabels(tokens: readonly TokenType[], issuer: string | undefined): LacksLabel[] {
  return tokens
    .map(({ interface: tokenInterface, scope }) =>
      tokenTypeName({ issuer, interface: tokenInterface, scope }, '/'),
    )
    .map((name): LacksLabel => `${LACKS}${name}`)
    .filter(({ length }) => length <= MAX_LABEL_LENGTH)
    .slice(0, MAX_LACKS);
}

/** The token types that a tested version lacks, by its labels. Those of the platform are looked up: their labels cannot be parsed. */
export function lackedTokenTypes(labels: readonly string[]): TokenType[] {
  const ofPlatform = PLATFORM_TOKENS.filter((token) => labels.includes(lacksLabels([token], undefined)[0]!));
  const known = lacksLabels(ofPlatform, undefined);
  const others = labels.filter((label) => isLacksLabel(label) && !known.includes(label));
  return [...ofPlatform, ...others.map((label) => parseTokenTypeName(label.slice(LACKS.length)))];
}

/** Those labels that a test leaves on a version. */
export function testLabelsIn(labels: Iterable<string>): (OutcomeLabel | LacksLabel)[] {
  const all = [...labels];
  return [...OUTCOME_LABELS.filter((label) => all.includes(label)), ...all.filter(isLacksLabel)];
}

function isLacksLabel(label: string): label is LacksLabel {
  return label.startsWith(LACKS);
}

/** The tag that says which kind of credential a secret holds. */
export const KIND_TAG = 'latchkey:kind';
