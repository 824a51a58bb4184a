import { credentialKindsOf } from '../../core/deployment/deployment-file';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../core/secrets/secret-names';
import { type CommandContext } from '../command';
import { type CommandError, usageError } from '../command-error';
import { type ChosenTenant } from '../system';
import { LabeledSecret, type SecretState } from './labeled-secret';

export interface ChosenSecret {
  secret: LabeledSecret;
  state: SecretState;
}

/**
 * The secret of the given kind, or else the only one that fits.
 * @param noneFits makes the error if no secret of these kinds fits
 * @throws {CommandError}
 */
export async function chooseSecret(
  { terminal }: CommandContext,
  chosen: ChosenTenant,
  kind: CredentialKind | undefined,
  fits: (state: SecretState) => boolean,
  noneFits: (kinds: string) => CommandError,
): Promise<ChosenSecret> {
  const kinds = kind === undefined ? credentialKindsOf(chosen.tenant) : [kind];
  const candidates = await Promise.all(
    kinds.map(async (each) => {
      const secret = new LabeledSecret(chosen, each, terminal.interrupted);
      return { secret, state: await secret.describe() };
    }),
  );
  const fitting = candidates.filter(({ state }) => fits(state));
  if (fitting.length > 1 && !terminal.isInteractive) {
    throw usageError('--kind', 'nothing', CREDENTIAL_KINDS.join(', '));
  }
  const [first] = fitting;
  if (first === undefined) throw noneFits(kinds.join(' or '));
  if (fitting.length === 1) return first;
  const choices = fitting.map(({ secret }) => ({ value: secret.kind, label: secret.kind }));
  const wanted = await terminal.choose('Kind of credential', choices);
  return fitting.find(({ secret }) => secret.kind === wanted)!;
}
