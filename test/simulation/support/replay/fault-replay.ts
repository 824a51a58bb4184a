import { type AlarmReadings as Readings } from 'cdk-on-loopback/testing';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../../../core/secrets/secret-names';
import { Operator } from './operator';
import { Replay } from './replay';
import { type Configured } from '../../../support/live/configured';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** A deployment under a fault, and its operator. */
export interface Scene {
  replay: Replay;
  operator: Operator;
}

/** A row of the fault matrix, replayed for as long as the fault lasts. */
export interface FaultReplay {
  id: `F${number}`;
  fault: string;
  pages: readonly string[];
  /** Alarms that must go into alarm, notifying or not, if `pages` alone is ambiguous. */
  inAlarm?: readonly string[];
  /** The fault, from its beginning until it passes or somebody acts. */
  happen(scene: Scene): Promise<void>;
  /**
   * What ends the fault: what `status` advises, or something elsewhere.
   * @default no action needed
   */
  end?: 'as advised' | ((scene: Scene) => Promise<unknown>);
  /**
   * Whether a credential is loaded.
   * @default all are
   */
  isLoaded?: (tenantId: string, kind: CredentialKind) => boolean;
  /**
   * Hours until no alarm is on any more.
   * @default 2.5
   */
  quietAfterHours?: number;
}

/** A stored token outlasts this with more than five minutes to spare. */
export const SHORT_MS = 9 * MINUTE_MS;
/** Until tokens have expired, and for some sweeps more. */
export const LASTING_MS = 50 * MINUTE_MS;

/** Two replays: one ends before any token has less than five minutes left, the other later. */
export const shortAndLasting = (
  fault: string,
  replayOf: (fault: string, pages: string[], forMs: number) => FaultReplay,
): FaultReplay[] => [
  replayOf(`${fault}, for 9 minutes`, [], SHORT_MS),
  replayOf(`${fault}, until tokens have ended`, ['tokens'], LASTING_MS),
];

/** From the first sweep, five minutes after credentials are loaded, until just before the first token is due. */
const UNTIL_DUE_MS = 44 * MINUTE_MS;
const BETWEEN_RESTORES_MS = 2 * MINUTE_MS;
const QUIET_AFTER_HOURS = 2.5;

/**
 * Starts a deployment in which a record is restored every two minutes for each tenant.
 * @param isLoaded whether a credential is loaded, by default all
 * @param readings of CloudWatch's documentation that are not the default
 */
export async function startScene(
  templates: Configured,
  isLoaded: (tenantId: string, kind: CredentialKind) => boolean = () => true,
  readings: Partial<Readings> = {},
): Promise<Scene> {
  const replay = await Replay.start(templates, readings);
  const operator = new Operator(replay);
  for (const { tenantId } of templates.deployments[0]!.tenants) {
    for (const kind of CREDENTIAL_KINDS) {
      if (isLoaded(tenantId, kind)) operator.paste(tenantId, kind);
    }
    void restoreForEver(replay, tenantId);
  }
  return { replay, operator };
}

/** Starts a fault at the worst moment for tokens, ends it, and lets time pass. */
export async function replayFault(
  fault: FaultReplay,
  templates: Configured,
  readings: Partial<Readings>,
): Promise<Replay> {
  const scene = await startScene(templates, fault.isLoaded, readings);
  const { replay } = scene;
  await replay.time.advance(UNTIL_DUE_MS);
  await fault.happen(scene);
  await endFault(fault, scene);
  await replay.time.advance((fault.quietAfterHours ?? QUIET_AFTER_HOURS) * HOUR_MS);
  return replay;
}

/** Ends a fault, as an operator does or as it ends elsewhere. */
export async function endFault({ end }: FaultReplay, scene: Scene): Promise<void> {
  await (end === 'as advised' ? scene.operator.followAdvice() : end?.(scene));
}

async function restoreForEver(replay: Replay, tenantId: string): Promise<void> {
  for (;;) {
    await replay.time.sleep(BETWEEN_RESTORES_MS);
    await replay.restoreFor(tenantId);
  }
}
