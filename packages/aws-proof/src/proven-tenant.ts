import { RESTORE_PATH } from '../../../core/restore/restore-operation';
import {
  type CredentialKind,
  credentialSecretName,
  tokenSecretName,
} from '../../../core/secrets/secret-names';
import { type AwsClients } from './clients';
import { PROVEN_DEPLOYMENT } from './configuration';
import { type Printed, type ProvenRun } from './proven-run';
import { secretAt } from './secret';

export type ProvenTenant = ReturnType<typeof provenTenant>;

/** A tenant with credentials, an API key and two tokens. */
export function provenTenant(run: ProvenRun, tenantId: string) {
  const key = { ...PROVEN_DEPLOYMENT, tenantId };
  const secretName = (kind: CredentialKind) => credentialSecretName(run.prefix, key, kind);
  const tokenName = (scope: 'api/read' | 'api/write') =>
    tokenSecretName(run.prefix, { ...key, interface: 'content', scope });
  /** A user of the platform who may restore. */
  const author = async () => {
    type Tenants = { tenants: { tenantId: string; authorRefs: string[] }[] };
    const { tenants } = await run.sandbox<Tenants>('GET', '/tenants');
    return tenants.find((tenant) => tenant.tenantId === tenantId)!.authorRefs[0]!;
  };
  /** Puts a new archived content on the platform. @returns its id */
  const archivedContent = async () =>
    (await run.sandbox<{ contentIds: string[] }>('POST', '/contents', key)).contentIds[0]!;
  return {
    tenantId,
    key,
    secretName,
    tokenName,
    author,
    archivedContent,
    accessToken: async (aws: AwsClients, scope: 'api/read' | 'api/write') =>
      (await secretAt({ aws }, tokenName(scope)).json<{ accessToken: string }>()).accessToken,
    apiKey: async () => (await secretAt(run, secretName('api-key')).json<{ apiKey: string }>()).apiKey,
    /** Has the platform issue a credential, and loads it with the command. */
    loadNew: async (kind: CredentialKind, ...flags: string[]): Promise<PrintedChange> => {
      const [path, command] = kind === 'api-key' ? ['/api-keys', 'api-key'] : ['/credentials', 'credentials'];
      const issued = await run.sandbox<object>('POST', path, key);
      return run.latchkey([command, 'put', '--tenant', tenantId, ...flags], JSON.stringify(issued));
    },
    /** Sends a restore, by default of a new content. @returns status and the content's status, or the code of the error */
    restore: async (headers: Readonly<Record<string, string>>, content?: string): Promise<string> => {
      const contentId = content ?? (await archivedContent());
      const path = RESTORE_PATH.replace('{tenantId}', tenantId).replace('{contentId}', contentId);
      const { status, body } = await run.request(run.restoreApiUrl + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ authorRef: await author() }),
      });
      const { status: record, code } = JSON.parse(body) as { status?: unknown; code?: string };
      return `${status} ${code ?? String(record)}`;
    },
    basic: (apiKey: string) => ({
      authorization: `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`,
    }),
  };
}

/** What a command that changes a credential prints. */
type PrintedChange = Printed<{ outcome?: string; error?: { code: string } }>;

/** What {@link changeOf} returns for a change that succeeded. */
export const PROMOTED = 'exit code 0, promoted';

/** The exit code of a change, with its outcome or the code of its error. {@link PROMOTED} is one. */
export function changeOf({ exitCode, document: { outcome, error } }: PrintedChange): string {
  return `exit code ${exitCode}, ${outcome ?? error?.code ?? 'nothing'}`;
}

export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
