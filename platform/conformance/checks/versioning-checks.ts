import { listedContents, shapeOf } from '../catalogue';
import { type Check, must } from '../check';
import { archived, restore, restored } from '../content-writes';
import { contentRequest, expectRefusal, expectSuccess, objectOf, tokenRequest } from '../requests';
import { mustLeaveUnmodified, withRestoreSet } from '../stored-contents';

const ADDRESSES = [
  'contentBaseUrl',
  'contentTokenBaseUrl',
  'webhooksBaseUrl',
  'webhooksTokenBaseUrl',
  'tenantServiceUrl',
] as const;

/** @see specification, "Versioning" and "What the service does" */
export const VERSIONING_CHECKS: readonly Check[] = [
  {
    name: 'while restore is unavailable, it is refused and restores nothing',
    clauses: ['versioning/bullet-1', 'what-the-service-does/bullet-5'],
    needs: 'control',
    async run(tenant) {
      const id = await tenant.archivedContent();
      await withRestoreSet(tenant, { available: false }, () =>
        mustLeaveUnmodified(tenant, [id], async () => expectRefusal(await restore(tenant, id))),
      );
      await withRestoreSet(tenant, { available: true }, async () => {
        expectSuccess(await restore(tenant, id));
      });
    },
  },
  {
    name: 'the records of restore and archive differ in shape from all catalogue views',
    clauses: ['versioning/bullet-3'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      const records = [await restored(tenant, id), await archived(tenant, id)];
      const views = [
        objectOf(await contentRequest(tenant, 'GET', `/contents/${id}`)),
        ...(await listedContents(tenant)),
      ];
      const shapes = new Set(views.map(shapeOf));
      must(
        records.every((record) => !shapes.has(shapeOf(record))),
        'a record and a catalogue view have the same shape',
      );
    },
  },
  {
    name: 'staging and production have separate addresses and credentials',
    clauses: ['versioning/bullet-4'],
    needs: 'control',
    async run(tenant) {
      const { platformRegion, tenantId } = tenant;
      const environment = tenant.environment === 'staging' ? 'production' : 'staging';
      const { addresses } = await tenant.inDeployment({ environment, platformRegion });
      for (const of of ADDRESSES) {
        must(addresses[of] !== tenant.addresses[of], 'staging and production share an address');
      }
      for (const of of ['content', 'webhooks'] as const) {
        expectSuccess(await tokenRequest(tenant, of));
        expectRefusal(await tokenRequest(tenant, of, {}, { addresses, tenantId }));
      }
    },
  },
];
