import { CREDENTIAL_KINDS, type CredentialKind } from '../../../../contract/secret-names';
import { Operator } from './operator';
import { Replay } from './replay';
import { type ReplayedTemplates } from './replayed-templates';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** A deployment under a fault, and who works on it. */
export interface Scene {
  replay: Replay;
  operator: Operator;
}

/** A row of the fault matrix, present for as long as its meaning has it. */
export interface FaultReplay {
  /** Number of the row. */
  id: `F${number}`;
  fault: string;
  /** Alarms that notify, in the order in which they do. */
  pages: readonly string[];
  /** Alarms that ring, whether or not they notify, where the page alone does not tell which it was. */
  rings?: readonly string[];
  /** The fault, from its beginning until somebody does something about it or it passes. */
  happen(scene: Scene): Promise<void>;
  /** The end of the fault, with what the alarm advises. @default nothing has to be done */
  end?(scene: Scene): Promise<unknown>;
  /** Whether a credential is loaded. @default all are */
  isLoaded?: (tenantId: string, kind: CredentialKind) => boolean;
  /** After so long nothing rings any more. @default 2.5 */
  quietAfterHours?: number;
}

/** Time from the first sweep, five minutes after everything is loaded, until the first token is about to be due. */
const UNTIL_DUE_MS = 44 * MINUTE_MS;
const BETWEEN_RESTORES_MS = 2 * MINUTE_MS;
const QUIET_AFTER_HOURS = 2.5;

/**
 * A deployment in which for every tenant a record is restored every two minutes.
 * @param isLoaded whether a credential is loaded @default all are
 */
export async function startScene(
  templates: ReplayedTemplates,
  isLoaded: (tenantId: string, kind: CredentialKind) => boolean = () => true,
): Promise<Scene> {
  const replay = await Replay.start(templates);
  const operator = new Operator(replay);
  for (const { tenantId } of templates.deployment.tenants) {
    for (const kind of CREDENTIAL_KINDS) {
      if (isLoaded(tenantId, kind)) await operator.load(tenantId, kind);
    }
    void restoreForEver(replay, tenantId);
  }
  return { replay, operator };
}

/** Has a fault begin at the moment that is the worst for tokens, pass, and lets time go by after it. */
export async function replayFault(fault: FaultReplay, templates: ReplayedTemplates): Promise<Replay> {
  const scene = await startScene(templates, fault.isLoaded);
  const { replay } = scene;
  await replay.time.advance(UNTIL_DUE_MS);
  await fault.happen(scene);
  await fault.end?.(scene);
  await replay.time.advance((fault.quietAfterHours ?? QUIET_AFTER_HOURS) * HOUR_MS);
  return replay;
}

async function restoreForEver(replay: Replay, tenantId: string): Promise<void> {
  for (;;) {
    await replay.time.sleep(BETWEEN_RESTORES_MS);
    await replay.restore(tenantId);
  }
}
