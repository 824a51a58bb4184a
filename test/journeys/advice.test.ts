import { type Finding } from '../../core/findings/finding';
import { type AdviceOutcome, type AdviceRow, followAdvice } from './support/advice';
import { AGED_ROWS, DEPLOYMENT_ROWS, TENANT_ROWS } from './support/advice-rows';
import { documentOf } from './support/command';
import { load, type Place, sweep } from './support/journeys';
import { command, DAY_SEC } from './support/operating';
import { RunningSystem } from './support/running-system';
import { type LocalConfiguration } from './support/synthesized-app';
import { IS_FULL, printFigures } from '../support/test-size';

/**
 * Makes each fault, follows what `status` advises as printed, and expects that `status` and `doctor` then find nothing, or
 * that the text has said what a person must do elsewhere.
 */
/** Tokens are valid for an hour. */
const UNTIL_LOW_SEC = 52 * 60;
/** By then, credentials are due for rotation. */
const UNTIL_DUE_SEC = 77 * DAY_SEC;
/** 77 days take a running system a quarter of an hour. `npm run test:full -- advice` follows the advice about all faults. */
const TAKEN = TENANT_ROWS.filter((_, index) => IS_FULL || index % 12 === 0);
const AGED = IS_FULL ? AGED_ROWS : [];

const outcomes: AdviceOutcome[] = [];
let system: RunningSystem;

beforeAll(async () => {
  system = await RunningSystem.startConfigured(oneTenantForEachRow, ['--no-job']);
  const rows = [...TAKEN, ...DEPLOYMENT_ROWS, ...AGED];
  for (const row of rows) await load(placeOf(row));
  for (const row of [TAKEN[0]!, ...DEPLOYMENT_ROWS]) await sweep(placeOf(row));
  for (const row of rows) await row.make(placeOf(row));
  await system.advance(UNTIL_LOW_SEC);
}, 300_000);

afterAll(async () => {
  await system.stop();
  const commands = outcomes.reduce((sum, outcome) => sum + outcome.commands.length, 0);
  const ended = (end: AdviceOutcome['end']) => outcomes.filter((outcome) => outcome.end === end).length;
  const followed = TAKEN.length + DEPLOYMENT_ROWS.length + AGED.length;
  printFigures(
    `advice: ${followed} faults, ${commands} commands run as printed, ${ended('fixed')} fixed, ` +
      `${ended('elsewhere')} pointed elsewhere, ${followed - outcomes.length} failed`,
  );
});

const named = (rows: readonly AdviceRow[]) => rows.map((row) => [row.fault, row] as const);

describe('the advice works as printed', () => {
  it.each(named([...TAKEN, ...DEPLOYMENT_ROWS]))('%s', (_, row) => follow(row));
});

if (AGED.length > 0) {
  describe('months later, the advice works as printed', () => {
    beforeAll(() => system.advance(UNTIL_DUE_SEC));

    it.each(named(AGED))('%s', (_, row) => follow(row));
  });
}

async function follow(row: AdviceRow): Promise<void> {
  const place = placeOf(row);
  await row.late?.(place);
  const shown = await command(place, ['status', '--json']);
  const { findings } = documentOf<{ findings: Finding[] }>(shown);
  expect(findings.filter(({ kind }) => row.finds.includes(kind))).not.toEqual([]);

  outcomes.push(await followAdvice(place, row));
}

/** The first deployment has a tenant for each fault of one tenant. */
function oneTenantForEachRow({ deployments }: LocalConfiguration): void {
  const tokens = ['api/read', 'api/write'].map((scope) => ({ interface: 'content', scope }));
  deployments[0]!.tenants = [...TAKEN, ...AGED].map((_, row) => ({
    tenantId: `eu-west-2_Row${row}`,
    tokens,
  }));
  deployments.splice(1 + DEPLOYMENT_ROWS.length);
}

function placeOf(row: AdviceRow): Place {
  const ofDeployment = DEPLOYMENT_ROWS.indexOf(row);
  const deployment = system.run.deployments[1 + ofDeployment]!;
  const tenant = ofDeployment === -1 ? [...TAKEN, ...AGED].indexOf(row) : 0;
  return { system, deployment, tenant: deployment.tenants[tenant]! };
}
