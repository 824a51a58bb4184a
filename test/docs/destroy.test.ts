import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { tenant } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { synthesisWith } from '../support/lib/synthesis';

const PAGE = readFileSync(join(__dirname, '../../docs/destroy.md'), 'utf8');

/** Deployments of other tests, which together have every kind of resource. */
const resources = Object.values(EDGES).flatMap((restoreApi) => {
  const deployment = {
    tenants: [tenant('tenant-a')],
    restoreApi: { ...restoreApi, auditRetentionDays: 365 as const },
  };
  return synthesisWith(deployment).resources();
});
const kept = resources.filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete');

describe('docs/destroy.md', () => {
  it('has a row for whatever outlives a stack, and for nothing else, with the step that removes it', () => {
    const rows = [...PAGE.matchAll(/^\|.*\| +`(AWS::[\w:]+)` +\|.*\]\(#([\w-]+)\) +\|$/gm)];
    const headings = [...PAGE.matchAll(/^### (.+)$/gm)].map(([, text]) =>
      text!.toLowerCase().replaceAll('.', '').replaceAll(' ', '-'),
    );

    expect(rows.map(([, type]) => type).sort()).toEqual([...new Set(kept.map(({ Type }) => Type))].sort());
    for (const [, , heading] of rows) expect(headings).toContain(heading);
  });

  it('is right that of secrets only credentials stay, of roles only API Gateway’s, and of logs only restores', () => {
    const namesOf = (type: string) =>
      kept.filter(({ Type }) => Type === type).map(({ Properties }) => JSON.stringify(Properties));

    for (const secret of namesOf('AWS::SecretsManager::Secret'))
      expect(secret).toMatch(/\/(client-credentials|api-key)"/);
    for (const role of namesOf('AWS::IAM::Role')) expect(role).toContain('Lets API Gateway write logs');
    for (const log of namesOf('AWS::Logs::LogGroup')) expect(log).toContain('"RetentionInDays":365');
  });

  it('removes replicas before the secrets that AWS keeps because of them', () => {
    expect(PAGE.indexOf('remove-regions-from-replication')).toBeGreaterThan(0);
    expect(PAGE.indexOf('remove-regions-from-replication')).toBeLessThan(
      PAGE.indexOf('delete-secret --recovery'),
    );
  });
});
