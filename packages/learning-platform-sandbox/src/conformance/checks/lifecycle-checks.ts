import { LEGACY_STATUSES, LIFECYCLE_ONLY_STATUSES, filtersNothing } from '../catalogue';
import { type Check, must } from '../check';
import { contentRequest, expectSuccess } from '../requests';

/** @see specification, "Status vocabularies" */
export const LIFECYCLE_CHECKS: readonly Check[] = [
  {
    name: 'GET /contents filters by created, published, archived and deleted',
    clauses: ['status-vocabularies/bullet-2'],
    needs: 'read',
    async run(tenant) {
      for (const status of LEGACY_STATUSES) {
        expectSuccess(await contentRequest(tenant, 'GET', `/contents?statuses=${status}`));
      }
    },
  },
  {
    name: 'the filter does not know draft and ready',
    clauses: ['status-vocabularies/bullet-2', 'versioning/bullet-3'],
    needs: 'read',
    async run(tenant) {
      for (const status of LIFECYCLE_ONLY_STATUSES) {
        must(await filtersNothing(tenant, status), `the filter finds contents by ${status}`);
      }
    },
  },
];
