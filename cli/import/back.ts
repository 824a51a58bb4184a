import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type CredentialValue, parseCredential } from '../../lambdas/shared/domain/credential-values';
import { callAws } from '../call-aws';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { utcTime } from '../credentials/credential-input';
import { LabeledSecret } from '../credentials/labeled-secret';
import { EXIT } from '../exit-codes';
import { type ChosenTenant } from '../system';
import { placesOf, type PlannedRow, requireOther } from './import-row';
import { type Places, placeText, type Wanted, withValues } from './places';
import { type CredentialSource, type Place } from './source-map';

/**
 * The way back: writes the current credential to the places where it was, in the form that they have now.
 * @throws {CommandError} which names fields and places, never values
 */
export async function planBack(
  { terminal }: CommandContext,
  chosen: ChosenTenant,
  source: CredentialSource,
  places: Places,
): Promise<PlannedRow> {
  const secret = new LabeledSecret(chosen, source.kind, terminal.interrupted);
  const { arn, versionWith } = await secret.describe();
  requireOther(source, arn);
  if (versionWith.AWSCURRENT === undefined) {
    return { chosen, source, outcome: 'none', note: 'nothing is loaded' };
  }
  const { value } = await readCurrent(chosen, source, terminal.interrupted);
  const all = placesOf(source);
  const writable = all.filter(({ type }) => type !== 'environment');
  const byHand = (current: CredentialValue['value']) => [
    ...all.filter(({ type }) => type === 'environment').map((place) => `set ${placeText(place)} by hand`),
    ...changedLiterals(source, current),
  ];
  const stale: Place[] = [];
  for (const place of writable) {
    const text = await places.text(place);
    if (withValues(place, text, valuesFor(place, source, value)) !== text) stale.push(place);
  }
  const notes = [
    ...(writable.length === 0 ? [] : [stale.length === 0 ? 'up to date' : `write ${names(stale)}`]),
    ...byHand(value),
  ];
  const row = { chosen, source, note: notes.join('; ') };
  if (stale.length === 0) return { ...row, outcome: 'none' };
  const run = async () => {
    // While the person was asked, it may have been rotated, and other fields of the places may have changed.
    const latest = (await readCurrent(chosen, source, terminal.interrupted)).value;
    for (const place of stale) {
      const text = await places.textNow(place);
      const changed = withValues(place, text, valuesFor(place, source, latest));
      if (changed !== text) await places.write(place, changed);
    }
    return [`wrote ${names(stale)}`, ...byHand(latest)].join('; ');
  };
  return { ...row, outcome: 'write', run };
}

async function readCurrent(
  { deployment, tenant }: ChosenTenant,
  { kind }: CredentialSource,
  interrupted: AbortSignal,
): Promise<CredentialValue> {
  const action = 'secretsmanager:GetSecretValue';
  const resource = tenant.secretIds[kind];
  try {
    const { SecretString } = await callAws({ action, resource, deployment, interrupted }, (options) =>
      deployment.secretsManager.send(new GetSecretValueCommand({ SecretId: resource }), options),
    );
    const credential = parseCredential(kind, SecretString, tenant.secretFields?.[kind]);
    if (credential !== undefined) return credential;
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'access_denied') throw error;
    throw new CommandError(error.exitCode, error.code, error.message, {
      cause: error.cause,
      advice:
        `For the way back, you need ${action} on the credentials and kms:Decrypt with their key. Latchkey's operator policy has ` +
        'neither: use a role of an administrator, and if the configuration has secretReaders, one that it names.',
    });
  }
  throw new CommandError(EXIT.failed, 'unusable_source', `${resource} holds no ${kind}`);
}

/** What a place must have: by field of its JSON object, or as its whole text. */
function valuesFor(
  place: Place,
  { fields }: CredentialSource,
  value: object,
): Map<string | undefined, Wanted> {
  const wanted = Object.entries(fields).flatMap(([name, field]) => {
    if ('literal' in field || placeText(field.place) !== placeText(place)) return [];
    return [[field.field, wantedOf(name, value)] as const];
  });
  return new Map(wanted);
}

function wantedOf(name: string, credential: object): Wanted {
  const value = (credential as Record<string, string>)[name]!;
  const plain = (text: string) => (name === 'validUntil' ? utcTime(text.trim()) : text.trim());
  return { value, isSame: (text) => plain(text) === plain(value) };
}

function changedLiterals({ fields }: CredentialSource, value: object): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!('literal' in field) || wantedOf(name, value).isSame(field.literal)) return [];
    return [`${name} in the file is ${(value as Record<string, string>)[name]} now`];
  });
}

function names(places: readonly Place[]): string {
  return places.map(placeText).join(', ');
}
