import { InvokeCommand } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { RESTORE_PATH } from '../contract/restore-operation';
import { type CredentialKind } from '../contract/secret-names';
import { deploymentName } from '../contract/token-key';
import { type EnsureAnswer, type EnsureEvent } from '../contract/token-refresh';
import {
  type AwsClients,
  type CommandResult,
  type DeployedLatchkey,
  type HttpsAnswer,
  type HttpsRequest,
  type ProvenTenant,
} from './system';

/** What several journeys do with a deployment of Latchkey. */
type StoredToken = ProvenTenant['tokens'][number];

/** A secret's JSON. @param VersionStage `AWSCURRENT` by default */
export async function valueOf<Value>(
  { secretsManager }: AwsClients,
  SecretId: string,
  VersionStage?: string,
): Promise<Value> {
  const { SecretString = '{}' } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId, VersionStage }),
  );
  return JSON.parse(SecretString) as Value;
}

/** An access token as a service reads it. */
export async function accessTokenOf(aws: AwsClients, { secretName }: StoredToken): Promise<string> {
  return (await valueOf<{ accessToken: string }>(aws, secretName)).accessToken;
}

export function tokenWith({ tokens }: ProvenTenant, scope: StoredToken['scope']): StoredToken {
  return tokens.find((token) => token.scope === scope)!;
}

/** Sends a restore of a content; by default of a new one. */
export async function restore(
  latchkey: DeployedLatchkey,
  tenant: ProvenTenant,
  how: Pick<HttpsRequest, 'headers' | 'signedBy'>,
  contentId?: string,
): Promise<HttpsAnswer> {
  const path = RESTORE_PATH.replace('{tenantId}', tenant.tenantId).replace(
    '{contentId}',
    contentId ?? (await tenant.archivedContent()),
  );
  return latchkey.request(latchkey.restoreApiUrl + path, {
    ...how,
    method: 'POST',
    headers: { ...how.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ authorRef: await tenant.author() }),
  });
}

export const basic = ({ tenantId }: ProvenTenant, apiKey: string) => ({
  authorization: `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`,
});

export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });

/** The content's status in a restore's answer, or the code of its error. */
export function outcomeOf({ status, body }: HttpsAnswer): string {
  const { status: record, code } = JSON.parse(body) as { status?: unknown; code?: string };
  return `${status} ${code ?? String(record)}`;
}

export const PUBLISHED = '200 published';

/** The prefix of the deployment's names. */
export const prefixOf = ({ stackName, environment, platformRegion }: DeployedLatchkey) =>
  stackName.slice(0, -`-${deploymentName({ environment, platformRegion })}`.length);

/** Lists contents of the platform with an access token. @returns the HTTP status */
export async function statusOfList(latchkey: DeployedLatchkey, accessToken: string): Promise<number> {
  const url = `${await contentBaseUrl(latchkey)}/contents`;
  return (await latchkey.request(url, { headers: bearer(accessToken) })).status;
}

/** Where the platform's sandbox serves contents of the deployment. */
export async function contentBaseUrl({ sandbox, environment, platformRegion }: DeployedLatchkey) {
  const { cells } = (await sandbox.call('GET', '/addresses')) as {
    cells: { environment: string; platformRegion: string; contentBaseUrl: string }[];
  };
  const served = cells.find(
    (cell) => cell.environment === environment && cell.platformRegion === platformRegion,
  );
  return served!.contentBaseUrl;
}

/** Asks token-refresh for a usable token. */
export async function ensure(
  { lambda }: AwsClients,
  latchkey: DeployedLatchkey,
  event: Omit<EnsureEvent, 'action'>,
): Promise<EnsureAnswer> {
  const { Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: await latchkey.functionArn('token-refresh'),
      Payload: Buffer.from(JSON.stringify({ action: 'ensure', ...event })),
    }),
  );
  return JSON.parse(Buffer.from(Payload!).toString()) as EnsureAnswer;
}

/** Has the platform issue a credential, and loads it. @returns what the command printed */
export async function loadNew(
  latchkey: DeployedLatchkey,
  { tenantId }: ProvenTenant,
  kind: CredentialKind,
  ...flags: readonly string[]
): Promise<Answered> {
  const { environment, platformRegion } = latchkey;
  const [path, command] =
    kind === 'api-key' ? (['/api-keys', 'api-key'] as const) : (['/credentials', 'credentials'] as const);
  const issued = await latchkey.sandbox.call('POST', path, { environment, platformRegion, tenantId });
  return runJson(latchkey, [command, 'put', '--tenant', tenantId, ...flags], JSON.stringify(issued));
}

/** What a command printed for programs. */
export interface Answered extends CommandResult {
  readonly document: Readonly<Record<string, unknown>>;
}

/** Runs the command with `--json`. */
export async function runJson(
  latchkey: DeployedLatchkey,
  args: readonly string[],
  input?: string,
): Promise<Answered> {
  const result = await latchkey.command([...args, '--json'], input);
  return { ...result, document: JSON.parse(result.stdout || '{}') as Answered['document'] };
}

/** What a command that changed something did; the code of its error if it failed. */
export function changeOf({ exitCode, document }: Answered): string {
  const { outcome, error } = document as { outcome?: string; error?: { code: string } };
  return `exit code ${exitCode}, ${outcome ?? error?.code ?? 'nothing'}`;
}

/** The kinds of the findings that `status` or `doctor` printed. */
export function findingsOf(document: Answered['document']): string[] {
  const { findings = [] } = document as { findings?: { kind: string }[] };
  return findings.map(({ kind }) => kind);
}
