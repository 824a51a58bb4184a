import { readFileSync } from 'node:fs';

import { parseJsonObject } from '../../contract/json-object';
import { type CredentialValue } from '../../lambdas/shared/domain/credential-values';
import { pickTenants } from '../choose-tenant';
import { commandFor } from '../command-text';
import { type CommandContext } from '../command';
import { CommandError, interruption, usageError } from '../command-error';
import { commandText } from '../command-text';
import {
  API_KEY_FIELDS,
  checkFields,
  CLIENT_CREDENTIALS_FIELDS,
  utcTime,
} from '../credentials/credential-input';
import { LabeledSecret } from '../credentials/labeled-secret';
import { type PutFlags, storeCredential } from '../credentials/put-credential';
import { requireNoneUnderWay } from '../credentials/stage-candidate';
import { EXIT, type ExitCode } from '../exit-codes';
import { showArgument, showFile } from '../safe-text';
import { type ChosenTenant, type Deployment } from '../system';
import { planBack } from './back';
import {
  exitCodeOf,
  type ImportRow,
  type PlannedRow,
  requireOther,
  rowDocument,
  rowLines,
} from './import-row';
import { Places } from './places';
import { type CredentialSource, parseSourceMap, type SourceMap } from './source-map';

export interface ImportFlags extends PutFlags {
  /** The map: a JSON file with the names of the places. */
  from?: string;
  /** Replace what is loaded already, by a rotation. */
  overwrite?: boolean;
  /** Write the current values back to their places. */
  back?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

/** After so many in a row, what is unavailable is so for all. */
const MOST_UNAVAILABLE = 3;
const MOST_BYTES = 1024 * 1024;

/**
 * `latchkey import`: loads the credentials of one or all tenants from where they are now, or with `--back` writes the current
 * ones there. Reads and checks everything, shows what would happen, and asks, before it writes anything.
 * @throws {CommandError}
 */
export async function importCredentials(context: CommandContext, flags: ImportFlags): Promise<ExitCode> {
  const { terminal } = context;
  const isBack = flags.back === true;
  const map = readMap(flags);
  const tenants = await pickTenants(context, flags, [...map.keys()], `tenants in ${showFile(flags.from!)}`);
  const places = placesByDeployment(context, tenants);
  const sources = tenants.flatMap((chosen) =>
    map
      .get(chosen.tenant.tenantId)!
      .map((source) => ({ chosen, source, places: places.get(chosen.deployment)! })),
  );
  const progress = terminal.progress(isBack ? 'Reading what is loaded' : 'Reading the sources');
  const plan: PlannedRow[] = [];
  for (const { chosen, source, places: own } of sources) {
    plan.push(
      await guarded(chosen, source, () =>
        isBack ? planBack(context, chosen, source, own) : planImport(context, flags, chosen, source, own),
      ),
    );
  }
  progress.done(`${plan.length} ${plan.length === 1 ? 'credential' : 'credentials'}`);
  const next = commandText('import', { '--from': flags.from }, nextFlags(flags, tenants[0]!));
  const writes = plan.filter(({ run }) => run !== undefined).length;
  const failed = exitCodeOf(plan);
  if (failed !== EXIT.done || flags.dryRun === true || writes === 0) {
    return end(context, plan, isBack, failed, writes > 0 && failed === EXIT.done ? [next] : []);
  }
  await requireAgreement(context, flags, plan, writes);
  const rows = await runAll(context, plan);
  const isStopped = rows.some(({ outcome }) => outcome === 'left');
  const exitCode = terminal.interrupted.aborted ? EXIT.interrupted : exitCodeOf(rows);
  return end(context, rows, isBack, exitCode, isStopped || exitCode !== EXIT.done ? [next] : []);
}

/** The sources of the tenants to import. @throws {CommandError} usage, with everything that is wrong with the file */
function readMap({ from, tenant }: ImportFlags): SourceMap {
  if (from === undefined)
    throw usageError('--from', 'nothing', 'a JSON file that says where the credentials are');
  let text: string;
  try {
    text = readFileSync(from, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw usageError('--from', `that ${showFile(from)} cannot be read (${code})`, 'a readable file');
  }
  const value = text.length > MOST_BYTES ? undefined : parseJsonObject(text);
  if (value === undefined)
    throw usageError('--from', `${showFile(from)}, which is no JSON object`, 'a JSON object');
  const parsed = parseSourceMap(value);
  if ('faults' in parsed) {
    const lines = parsed.faults.map((fault) => `  ${fault}`).join('\n');
    throw new CommandError(EXIT.usage, 'usage', `${showFile(from)} cannot be used:\n${lines}`, {
      advice: 'Nothing was read. The file holds names only: if there is a secret in it, replace that secret.',
    });
  }
  const { map } = parsed;
  if (map.size === 0) throw usageError('tenants', 'none', 'at least one tenant');
  if (tenant === undefined) return map;
  const sources = map.get(tenant);
  if (sources === undefined) throw usageError('--tenant', showArgument(tenant), [...map.keys()].join(', '));
  return new Map([[tenant, sources]]);
}

function placesByDeployment(
  { terminal, env = {} }: CommandContext,
  tenants: readonly ChosenTenant[],
): Map<Deployment, Places> {
  const { interrupted } = terminal;
  return new Map(tenants.map(({ deployment }) => [deployment, new Places(deployment, env, interrupted)]));
}

/** A row that failed, if the plan for it fails. @throws {CommandError} when interrupted */
async function guarded(
  chosen: ChosenTenant,
  source: CredentialSource,
  plan: () => Promise<PlannedRow>,
): Promise<PlannedRow> {
  try {
    return await plan();
  } catch (error) {
    return failedRow({ chosen, source }, error);
  }
}

function failedRow(row: Pick<ImportRow, 'chosen' | 'source'>, error: unknown): ImportRow {
  if (!(error instanceof CommandError) || error.code === 'interrupted') throw error;
  return { ...row, outcome: 'failed', note: error.code, error };
}

async function planImport(
  context: CommandContext,
  flags: ImportFlags,
  chosen: ChosenTenant,
  source: CredentialSource,
  places: Places,
): Promise<PlannedRow> {
  const secret = new LabeledSecret(chosen, source.kind, context.terminal.interrupted);
  const state = await secret.describe();
  requireOther(source, state.arn);
  const credential = await readCredential(source, places);
  const isLoaded = state.versionWith.AWSCURRENT !== undefined;
  if (isLoaded && flags.overwrite !== true) {
    return { chosen, source, outcome: 'none', note: 'loaded already; --overwrite replaces it' };
  }
  await requireNoneUnderWay(context, secret, state, flags);
  const run = async () => {
    const { document, exitCode } = await storeCredential(context, secret, credential, flags);
    const { outcome } = document as { outcome: string };
    if (exitCode === EXIT.done) return outcome;
    const what =
      source.kind === 'api-key'
        ? 'the restore API does not accept it'
        : 'none of its tokens could be fetched';
    throw new CommandError(exitCode, 'not_usable_yet', `${outcome}, but ${what} yet`, {
      advice: `Latchkey tries again every 5 minutes. To check: ${commandFor(chosen, 'status')}`,
    });
  };
  return isLoaded
    ? { chosen, source, outcome: 'rotate', note: 'replaces the loaded one, which stays for a rollback', run }
    : { chosen, source, outcome: 'load', note: 'the first one', run };
}

/** @throws {CommandError} which names fields and places, never values */
async function readCredential(source: CredentialSource, places: Places): Promise<CredentialValue> {
  const given: Record<string, string> = {};
  for (const [name, field] of Object.entries(source.fields)) given[name] = await places.value(field);
  if (source.kind === 'client-credentials') {
    const value = checkFields(
      CLIENT_CREDENTIALS_FIELDS,
      given as Record<'clientId' | 'clientSecret', string>,
    );
    return { kind: 'client-credentials', value };
  }
  const { apiKey, validUntil } = checkFields(
    API_KEY_FIELDS,
    given as Record<'apiKey' | 'validUntil', string>,
  );
  return { kind: 'api-key', value: { apiKey, validUntil: utcTime(validUntil)! } };
}

async function requireAgreement(
  { terminal }: CommandContext,
  { yes, back = false }: ImportFlags,
  plan: readonly PlannedRow[],
  writes: number,
): Promise<void> {
  if (yes === true) return;
  if (!terminal.isInteractive) {
    throw usageError('import', 'nobody to ask', '--dry-run to see what would happen, --yes to do it');
  }
  for (const line of rowLines(plan, back, terminal.messageStyle)) terminal.say(line);
  const what = back ? `Write ${writes} of them to their former places?` : `Load ${writes} of them?`;
  if (!(await terminal.confirm(what))) throw new CommandError(EXIT.failed, 'declined', 'nothing was changed');
}

/** Runs each row that has something to do. Those after an interruption, or after an outage, are left. */
async function runAll({ terminal }: CommandContext, plan: readonly PlannedRow[]): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  let unavailable = 0;
  for (const { run, ...row } of plan) {
    if (run === undefined) {
      rows.push(row);
    } else if (terminal.interrupted.aborted || unavailable === MOST_UNAVAILABLE) {
      rows.push({ ...row, outcome: 'left', note: 'not done: run the same command again' });
    } else {
      terminal.say(`${row.chosen.tenant.tenantId}: ${row.source.kind}`);
      const done = await finished(row, run);
      unavailable = done.error?.exitCode === EXIT.unavailable ? unavailable + 1 : 0;
      rows.push(done);
    }
  }
  return rows;
}

async function finished(row: ImportRow, run: () => Promise<string>): Promise<ImportRow> {
  try {
    return { ...row, outcome: 'done', note: await run() };
  } catch (error) {
    if (error instanceof CommandError && error.code === 'interrupted') {
      return { ...row, outcome: 'left', note: 'not done: run the same command again' };
    }
    return failedRow(row, error);
  }
}

function end(
  { terminal }: CommandContext,
  rows: readonly ImportRow[],
  isBack: boolean,
  exitCode: ExitCode,
  next: readonly string[],
): ExitCode {
  terminal.result({ credentials: rows.map(rowDocument), next }, (style) =>
    [...rowLines(rows, isBack, style), ...next.map((command) => `${style.bold('Next')}: ${command}`)].join(
      '\n',
    ),
  );
  if (exitCode === EXIT.interrupted) throw interruption();
  return exitCode;
}

function nextFlags(
  { environment, platformRegion, tenant, overwrite, proveBy, back, replace }: ImportFlags,
  { system }: ChosenTenant,
): string {
  return [
    ...(back === true ? ['--back'] : []),
    ...(environment === undefined ? [] : [`--environment ${environment}`]),
    ...(platformRegion === undefined ? [] : [`--platform-region ${platformRegion}`]),
    ...(tenant === undefined ? [] : [`--tenant ${tenant}`]),
    ...(overwrite === true ? ['--overwrite'] : []),
    ...(replace === true ? ['--replace'] : []),
    ...(proveBy === undefined ? [] : [`--prove-by ${proveBy}`]),
    ...(system.flags === '' ? [] : [system.flags]),
  ].join(' ');
}
