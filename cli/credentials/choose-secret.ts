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
 * @param fits returns undefined for a secret that does not fit
 * @param noneFits makes the error if no secret of these kinds fits
 * @throws {CommandError}
 */
export async function chooseSecret(
  { terminal }: CommandContext,
  chosen: ChosenTenant,
  kind: CredentialKind | undefined,
  fits: (state: SecretState) => string | undefined,
  noneFits: (kinds: string) => CommandError,
): Promise<ChosenSecret> {
  const kinds = kind === undefined ? credentialKindsOf(chosen.tenant) : [kind];
  const candidates = await Promise.all(
    kinds.map(async (each) => {
      const secret = new LabeledSecret(chosen, each, terminal.interrupted);
      return { secret, state: await secret.describe() };
    }),
  );
  const fitting = candidates.filter(({ state }) => fits(state) !== undefined);
  if (fitting.length > 1 && !terminal.isInteractive) {
    throw usageError('--kind', 'nothing', CREDENTIAL_KINDS.join(', '));
  }
  const wanted =
    fitting.length > 1
      ? await terminal.choose(
          'Kind of credential',
          fitting.map(({ secret }) => ({ value: secret.kind, label: secret.kind })),
        )
      : undefined;
  const only = fitting.find(({ secret }) => wanted === undefined || secret.kind === wanted);
  if (only === undefined) throw noneFits(kinds.join(' or '));
  return only;
}
