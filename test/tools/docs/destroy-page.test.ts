import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseConfiguration } from '../../../lib/config/load';
import { remnantOf, remnantsTable } from '../../../tools/docs/destroy-page';
import { tenant, written } from '../../support/lib/configuration';
import { EDGES } from '../../support/lib/edge';
import { synthesizeOnce } from '../../support/lib/synthesis';

const PAGE = readFileSync(join(__dirname, '../../../docs/destroy.md'), 'utf8');

/** Deployments of other tests, which together have every kind of resource. */
const resources = Object.values(EDGES).flatMap((restoreApi) => {
  const deployment = {
    tenants: [tenant('tenant-a')],
    restoreApi: { ...restoreApi, auditRetentionDays: 365 as const },
    logSubscription: { destinationArn: 'arn:aws:logs:eu-west-1:111122223333:destination:logs' },
  };
  return synthesizeOnce(parseConfiguration(written(deployment), 'test configuration')).resources();
});

describe('docs/destroy.md', () => {
  it('has a row for whatever outlives a stack, with the step that removes it', () => {
    const kept = resources.filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy !== 'Delete');

    expect(new Set(kept.map(({ Type }) => Type)).size).toBe(5);
    for (const each of kept) {
      const { what, step } = remnantOf(each);
      expect(PAGE).toContain(`| ${what} | \`${each.Type}\` |`);
      const [, heading] = /\(#([\w-]+)\)/.exec(step)!;
      const headings = [...PAGE.matchAll(/^### (.+)$/gm)].map(([, text]) => text!.toLowerCase());
      expect(headings.map((text) => text.replaceAll('.', '').replaceAll(' ', '-'))).toContain(heading);
    }
  });

  it('names what is deleted, and nothing twice', () => {
    const [, deleted = ''] = /^Deleted with their stack, at once: (.+)$/m.exec(PAGE)!;
    const gone = resources.filter(({ DeletionPolicy = 'Delete' }) => DeletionPolicy === 'Delete');

    for (const { Type } of gone) {
      if (Type !== 'AWS::CDK::Metadata') expect(deleted).toContain(`\`${Type}\``);
    }
  });

  it('removes replicas before the secrets that AWS keeps because of them', () => {
    expect(PAGE.indexOf('remove-regions-from-replication')).toBeGreaterThan(0);
    expect(PAGE.indexOf('remove-regions-from-replication')).toBeLessThan(
      PAGE.indexOf('delete-secret --recovery'),
    );
  });

  it('cannot be written for what it does not know', () => {
    const unknown = { Type: 'AWS::S3::Bucket', DeletionPolicy: 'Retain' };

    expect(() => remnantsTable([unknown])).toThrow('AWS::S3::Bucket outlives its stack; add why');
    expect(remnantsTable([{ Type: 'AWS::S3::Bucket' }])).toContain('at once: `AWS::S3::Bucket`.');
  });

  it('says what becomes of token secrets, unlike the other secrets', () => {
    const secret = (Name: string) => ({ Type: 'AWS::SecretsManager::Secret', Properties: { Name } });

    expect(remnantOf(secret('latchkey/staging/global/a/api-key')).what).toContain('API keys');
    expect(() => remnantOf(secret('latchkey/staging/global/a/token/content/api-read'))).toThrow('outlives');
  });
});
