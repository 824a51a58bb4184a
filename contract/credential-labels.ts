/**
 * Staging labels of credential secrets, besides AWS's own AWSCURRENT, AWSPREVIOUS and AWSPENDING.
 * A label sits on one version at most, and moving it names the version that it leaves: so the state of a rotation is
 * what `DescribeSecret` says, and no one has to read a value to know it.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html (staging labels)
 */

/** The version that an operator staged and that the next rotation takes. */
export const CANDIDATE_LABEL = 'LATCHKEY_CANDIDATE';
/** The pending version that the platform accepted: only a version with this label is promoted. */
export const PROVEN_LABEL = 'LATCHKEY_PROVEN';
/** The pending version that the platform refused. */
export const REFUSED_LABEL = 'LATCHKEY_REFUSED';
/** The pending version that could not be tested: the platform gave no usable answer. */
export const UNTESTED_LABEL = 'LATCHKEY_UNTESTED';

/** How the last test of a pending version ended. */
export const OUTCOME_LABELS = [PROVEN_LABEL, REFUSED_LABEL, UNTESTED_LABEL] as const;
export type OutcomeLabel = (typeof OUTCOME_LABELS)[number];

/** The tag that says which kind of credential a secret holds. */
export const KIND_TAG = 'latchkey:kind';
