import { deploymentKeyOf, tenantKeyOf } from '../tokens/token-key';
import { type DeploymentSnapshot, type TenantSnapshot } from '../deployment/deployment-snapshot';
import { withPageLinks } from '../commands/page-links';
import { type DeploymentFile } from '../deployment/deployment-file';
import { tenantAlarmName } from '../alarms/alarms';
import { FINDING_KINDS, type FindingKind } from './finding-kinds';
import { withCauses } from './causes';
import { configurationFindings } from './configuration-findings';
import { credentialFindings } from './credential-findings';
import { type Finding, type FindingDetails, type Repair, type RuleContext, SEVERITIES } from './finding';
import { fixCommands } from '../commands/fix-commands';
import { restoreFindings } from './restore-findings';
import { renewalFindings } from './renewal-findings';
import { scheduleFindings, type ScheduleState } from './schedule-findings';
import { tokenFindings } from './token-findings';

export interface InspectInput {
  snapshot: DeploymentSnapshot;
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** The configuration to compare with, if there is one. */
  configured?: DeploymentFile | undefined;
  /** The deployment's schedules, if they were read. */
  schedules?: readonly ScheduleState[] | undefined;
  /** The names of the deployment's alarms in state ALARM, if they were read. */
  alarms?: readonly string[] | undefined;
  /** Flags that select the system, such as `--local`, for the fix commands. @default none */
  flags?: string;
}

/** What a person does about a deployed tenant that is not configured: no command accepts its name. */
const UNCONFIGURED: Repair = {
  remedy:
    'The configuration no longer has this tenant. Add it again if it is needed; otherwise deploy, then destroy its stack.',
};

/**
 * All findings about a deployment, the most severe first, then by tenant. Pure, so credential-watch, `status` and
 * `doctor` agree about the same snapshot.
 */
export function inspect({
  snapshot,
  nowMs,
  configured,
  schedules = [],
  alarms = [],
  flags = '',
}: InspectInput): Finding[] {
  const { deployment, tenants } = snapshot;
  const inAlarm = new Set(alarms);
  const configuredIds = configured && new Set(configured.tenants.map(({ tenantId }) => tenantId));

  function located(
    tenantId: string | undefined,
    isDeployed: boolean,
    rules: (context: RuleContext) => FindingDetails[],
  ): Finding[] {
    const place = tenantId === undefined ? deploymentKeyOf(deployment) : tenantKeyOf(deployment, tenantId);
    const { profile } = deployment;
    const context = { nowMs, profile, isDeployed, commands: fixCommands(deployment, place, flags) };
    return rules(context).map((found) => ({
      ...found,
      place,
      repair: followable(found.repair, flags),
    }));
  }

  const findings = [
    ...located(undefined, true, (context) => [
      ...(configured === undefined ? [] : configurationFindings(deployment, configured, context)),
      ...scheduleFindings(
        schedules.filter(
          ({ functionName }) =>
            functionName !== 'credential-proof' || deployment.restoreApi.acceptsApiKeys === true,
        ),
        context,
      ),
      ...restoreFindings(snapshot, context),
      ...renewalFindings(tenants, context),
    ]),
    ...tenants.flatMap((tenant) =>
      located(tenant.tenantId, hasAnySecret(tenant), (context) => {
        const { tenantId } = tenant;
        const key = tenantKeyOf(deployment, tenantId);
        const alarm = tenantAlarmName(deployment.prefix, key, 'credential-refused');
        const found = tenantFindings(tenant, deployment, inAlarm.has(alarm), context);
        const isConfigured = configuredIds?.has(tenantId) ?? true;
        return isConfigured ? found : found.map((each) => ({ ...each, repair: UNCONFIGURED }));
      }),
    ),
  ]
    .map((finding) => ({ finding, order: orderOf(finding) }))
    .sort((a, b) => compare(a.order, b.order))
    .map(({ finding }) => finding);
  return withCauses(findings, snapshot);
}

/** What the laptop system deploys is new with each start, and no CDK command reaches it. */
export const START_AGAIN =
  'Stop the laptop system (Ctrl-C) and start it again: it deploys everything anew, and loads new credentials.';

/** A repair whose links and commands work where it is read: in a terminal, and for a laptop system. */
function followable(repair: Repair, flags: string): Repair {
  const { command, remedy, ...rest } = repair;
  if (command?.startsWith('npx cdk ') === true && flags.includes('--local')) {
    // Most remedies end without a full stop, but here another sentence follows.
    const before = remedy === undefined ? [] : [/[.:]$/.test(remedy) ? remedy : `${remedy}.`];
    return { ...rest, remedy: withPageLinks([...before, START_AGAIN].join(' ')) };
  }
  return remedy === undefined ? repair : { ...repair, remedy: withPageLinks(remedy) };
}

function hasAnySecret({ credentials, tokens }: TenantSnapshot): boolean {
  return [...credentials, ...tokens].some(({ access }) => access !== 'missing');
}

function tenantFindings(
  { credentials, tokens }: TenantSnapshot,
  deployment: DeploymentFile,
  isRefused: boolean,
  context: RuleContext,
): FindingDetails[] {
  const clientCredentials = credentials.find(({ kind }) => kind === 'client-credentials');
  const found = credentials.flatMap((credential) => credentialFindings(credential, deployment, context));
  // The alarm may be about the API key instead.
  const isAboutKey = found.some(
    ({ kind, credential }) =>
      credential === 'api-key' && ['credential_refused', 'credential_unproven'].includes(kind),
  );
  return [...found, ...tokenFindings(tokens, clientCredentials, isRefused && !isAboutKey, context)].map(
    (each) => {
      const since = sinceOf(each, credentials);
      return since === undefined ? each : { ...each, since };
    },
  );
}

/** When a credential's fault can have begun: not before its version. A token's fault can be older than the token. */
function sinceOf(finding: FindingDetails, credentials: TenantSnapshot['credentials']): string | undefined {
  const credential = credentials.find(({ kind }) => kind === finding.credential);
  if (credential?.access !== 'ok') return undefined;
  const isOfCandidate = finding.kind.startsWith('candidate_') || finding.kind === 'pending_left_behind';
  if (!isOfCandidate) return credential.promotedAt;
  const [first] = credential.versions
    .filter(({ labels }) => !labels.includes('AWSCURRENT') && !labels.includes('AWSPREVIOUS'))
    .flatMap(({ createdAt }) => createdAt ?? [])
    .sort();
  return first;
}

function compare(left: readonly (string | number)[], right: readonly (string | number)[]): number {
  for (const [at, part] of left.entries()) {
    if (part !== right[at]) return part < right[at]! ? -1 : 1;
  }
  return 0;
}

function orderOf({ severity, kind, place, credential, token }: Finding): (string | number)[] {
  return [
    SEVERITIES.indexOf(severity),
    place.tenantId ?? '',
    (FINDING_KINDS as readonly FindingKind[]).indexOf(kind),
    credential ?? '',
    token?.interface ?? '',
    token?.scope ?? '',
  ];
}
