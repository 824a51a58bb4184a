import { parseJsonObject } from '../../contract/json-object';
import { sha256Hex } from '../../contract/sha256';
import { type LocalDeployment, type LocalTenant } from '../../contract/local-run';
import { PROBLEM_CODES } from '../../contract/problem';
import { type EnsureAnswer, type EnsureEvent, type EnsureFailure } from '../../contract/token-refresh';
import { type TokenKey, type TenantKey } from '../../contract/token-key';
import { parseTokenValue } from '../../contract/token-value';
import { type Account } from '../account';
import { type RunClock } from '../run-clock';
import { type FunctionInvoker } from '../interfaces';
import { type SandboxControl } from '../sandbox-control';
import { currentVersion } from './account-snapshot';
import { type ActionInput, actionNamed, type ActionName, parseActionInput } from './action-input';
import { type ActionOutcome } from './console-state';

/** What the actions need. */
interface ActionPorts {
  account: Account;
  clock: Pick<RunClock, 'advance' | 'currentJump'>;
  invoker: Pick<FunctionInvoker, 'invoke'>;
  sandbox: Pick<SandboxControl, 'clearFaults' | 'injectFault' | 'tenants'>;
  deployments: readonly LocalDeployment[];
  /** Sends a request to a restore API, over TLS. */
  callRestoreApi: (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ) => Promise<{ status: number; text: string }>;
}

const STEP_NAMES = { 300: '5 minutes', 3600: '1 hour', 86400: '1 day' } as const;

/** The actions of the page's buttons. Each can be repeated, and none returns a secret. */
export class ConsoleActions {
  private readonly ports: ActionPorts;
  private readonly byName: { [Name in ActionName]: (input: ActionInput<Name>) => Promise<ActionOutcome> } = {
    'refresh-token': (input) => this.refreshToken(input),
    'restore-record': (input) => this.restoreRecord(input),
    'inject-fault': (input) => this.injectFault(input),
    'clear-faults': () => this.clearFaults(),
    'advance-clock': (input) => this.advanceClock(input),
  };

  constructor(ports: ActionPorts) {
    this.ports = ports;
  }

  /**
   * Runs an action. An action that fails has an outcome, too.
   * @throws {ActionInputError} for input that no button sends
   */
  async run(name: string, body: string): Promise<ActionOutcome> {
    const known = actionNamed(name);
    return this.runKnown(known, body);
  }

  private runKnown<Name extends ActionName>(name: Name, body: string): Promise<ActionOutcome> {
    return this.byName[name](parseActionInput(name, body));
  }

  /** Forces a renewal by reporting the stored token as rejected. */
  private async refreshToken(input: ActionInput<'refresh-token'>): Promise<ActionOutcome> {
    const { deployment, tenant } = this.find(input) ?? {};
    const token = tenant?.tokens.find(
      (each) => each.interface === input.interface && each.scope === input.scope,
    );
    const functionArn = deployment?.functions.tokenRefresh;
    if (token === undefined || functionArn === undefined) return failed('no deployment has this token');
    const { arn, ...tokenType } = token;
    const name = `${tokenType.interface} ${tokenType.scope} of ${input.tenantId}`;
    const accessToken = this.tokenIn(arn, { ...input, ...tokenType });
    const event: EnsureEvent = {
      action: 'ensure',
      tenantId: input.tenantId,
      ...tokenType,
      ...(accessToken !== undefined && { rejectedTokenSha256: sha256Hex(accessToken) }),
    };
    const result = await this.ports.invoker.invoke(functionArn, Buffer.from(JSON.stringify(event)));
    if (result.kind === 'throttled') return failed(`${name}: token-refresh is busy, try again in a moment`);
    if (result.kind === 'function-error') return failed(`${name}: token-refresh failed; see its log`);
    const answer = JSON.parse(result.payload.toString()) as EnsureAnswer;
    if (!answer.ok) return failed(`${name} was not renewed: ${reasonOf(answer.error)}`);
    return done(`${name} was renewed and expires at ${clockTime(answer.expiresAt)}`);
  }

  private async restoreRecord(input: ActionInput<'restore-record'>): Promise<ActionOutcome> {
    const { deployment, tenant } = this.find(input) ?? {};
    const writing = tenant?.tokens.find(({ scope }) => scope === 'api/write');
    if (deployment?.restoreApiUrl === undefined || tenant === undefined || writing === undefined) {
      return failed('no deployment has a restore API for this tenant');
    }
    const accessToken = this.tokenIn(writing.arn, { ...input, interface: 'content', scope: 'api/write' });
    if (accessToken === undefined)
      return failed(`no content api/write token is stored for ${input.tenantId}`);
    const archived = (await this.ports.sandbox.tenants()).find((other) => isSame(other, input));
    const contentId = archived?.archivedContentIds[0];
    if (contentId === undefined) return failed(`no archived records are left for ${input.tenantId}`);
    const { status, text } = await this.ports.callRestoreApi(
      `${deployment.restoreApiUrl}/tenants/${input.tenantId}/contents/${contentId}/restore`,
      { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      JSON.stringify({ authorRef: tenant.authorRefs[0] }),
    );
    if (status === 200) return done(`record ${contentId} of ${input.tenantId} was restored (200)`);
    return failed(`restoring record ${contentId} returned ${[status, problemCode(text)].join(' ').trim()}`);
  }

  private async injectFault(input: ActionInput<'inject-fault'>): Promise<ActionOutcome> {
    if (input.match !== undefined && !this.find(input.match)) return failed('no deployment has this tenant');
    await this.ports.sandbox.injectFault(input);
    return done('the fault is active in the sandbox');
  }

  private async clearFaults(): Promise<ActionOutcome> {
    await this.ports.sandbox.clearFaults();
    return done('all sandbox faults are cleared');
  }

  private async advanceClock({ sec }: ActionInput<'advance-clock'>): Promise<ActionOutcome> {
    const { clock } = this.ports;
    if (clock.currentJump()) return failed('the clock is already being advanced');
    await clock.advance(sec);
    return done(`the clock was advanced by ${STEP_NAMES[sec]}`);
  }

  private find(key: TenantKey): { deployment: LocalDeployment; tenant: LocalTenant } | undefined {
    for (const deployment of this.ports.deployments) {
      const { environment, platformRegion } = deployment;
      const tenant = deployment.tenants.find(({ tenantId }) =>
        isSame({ environment, platformRegion, tenantId }, key),
      );
      if (tenant) return { deployment, tenant };
    }
    return undefined;
  }

  private tokenIn(secretArn: string, key: TokenKey): string | undefined {
    const secret = this.ports.account.secrets.get(secretArn);
    const value = secret && currentVersion(secret)?.secretString;
    return value === undefined ? undefined : parseTokenValue(value, key)?.accessToken;
  }
}

function isSame(a: Record<keyof TenantKey, string>, b: TenantKey): boolean {
  return (
    a.environment === b.environment && a.platformRegion === b.platformRegion && a.tenantId === b.tenantId
  );
}

/** Why a token was not renewed, and when the function tries again: until then, it fails even if the cause is gone. */
function reasonOf({ code, message, retryAfterSec }: EnsureFailure): string {
  const wait = retryAfterSec === undefined ? '' : `; try again in ${retryAfterSec} s`;
  return `${code}, ${message}${wait}`;
}

/** The time of day of an ISO 8601 time: `12:00:00 UTC`. */
function clockTime(iso: string): string {
  return `${new Date(iso).toISOString().slice(11, 19)} UTC`;
}

/** The code of a response, if it is one of ours. The rest of the response is not shown. */
function problemCode(text: string): string | undefined {
  const code = parseJsonObject(text)?.code;
  return PROBLEM_CODES.find((known) => known === code);
}

function done(message: string): ActionOutcome {
  return { ok: true, message: sentence(message) };
}

function failed(message: string): ActionOutcome {
  return { ok: false, message: sentence(message) };
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
