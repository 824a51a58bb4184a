import { LEGACY_STATUSES, LIFECYCLE_ONLY_STATUSES, filtersNothing, listedIds } from '../catalogue';
import { type Check, must } from '../check';
import {
  archive,
  archived,
  createdContent,
  DELETE,
  itemsOf,
  PUBLISH,
  restore,
  restored,
  sendWrite,
} from '../content-writes';
import { contentRequest, expectRefusal, expectStatus, expectSuccess } from '../requests';
import { letItemsBeProcessed, mustLeaveUnmodified, storedContent } from '../stored-contents';

/** @see specification, "Status vocabularies" and "States and transitions" */
export const LIFECYCLE_CHECKS: readonly Check[] = [
  {
    name: 'a content goes from draft to ready, published and archived',
    clauses: ['status-vocabularies/bullet-1', 'states-and-transitions/paragraph-1'],
    needs: 'control',
    async run(tenant) {
      const { authorRef } = tenant;
      const id = await createdContent(tenant, { items: [{ type: 'file', summary: 'The only one' }] });
      const steps = [
        async () => {},
        () => letItemsBeProcessed(tenant),
        async () => expectSuccess(await sendWrite(tenant, PUBLISH, id, { authorRef })),
        async () => expectSuccess(await archive(tenant, id)),
      ];
      const states: string[] = [];
      for (const step of steps) {
        await step();
        states.push((await storedContent(tenant, id)).status);
      }
      must(
        states.join() === 'draft,ready,published,archived',
        'the states are not draft, ready, published and archived, in this order',
      );
    },
  },
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
    name: 'the filter finds a content only by its status in the older vocabulary',
    clauses: ['status-vocabularies/bullet-2'],
    needs: 'control',
    async run(tenant) {
      const deleted = await tenant.contentIn('published');
      expectSuccess(await sendWrite(tenant, DELETE, deleted, { authorRef: tenant.authorRef }));
      const legacyStatusOf = {
        [await tenant.contentIn('draft')]: 'created',
        [await tenant.contentIn('ready')]: 'created',
        [await tenant.contentIn('published')]: 'published',
        [await tenant.contentIn('archived')]: 'archived',
        [deleted]: 'deleted',
      };
      for (const status of LEGACY_STATUSES) {
        const found = await listedIds(tenant, status);
        for (const [id, expected] of Object.entries(legacyStatusOf)) {
          must(
            found.includes(id) === (status === expected),
            `a content that is ${expected} is ${found.includes(id) ? '' : 'not '}found by ${status}`,
          );
        }
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
  {
    name: 'processed items are ok or error',
    clauses: ['status-vocabularies/bullet-3'],
    needs: 'control',
    async run(tenant) {
      const { environment, platformRegion, tenantId } = tenant;
      const match = { environment, platformRegion, tenantId, type: 'video' };
      await tenant.control('POST', 'item-failures', { match, reason: 'the codec is not known' });
      const items = ['video', 'file'].map((type) => ({ type, summary: 'To be processed' }));
      const id = await createdContent(tenant, { items });
      await letItemsBeProcessed(tenant);
      const statuses = itemsOf(await archived(tenant, id)).map(({ status }) => String(status));
      must(statuses.toSorted().join() === 'error,ok', 'the processed items are not ok and error');
    },
  },
  {
    name: 'restoring an archived content publishes it, and returns its record with its items',
    clauses: ['states-and-transitions/row-archived'],
    needs: 'control',
    async run(tenant) {
      const id = await tenant.archivedContent();
      const record = await restored(tenant, id);
      must(record.status === 'published', 'the record is not published');
      const { status, items } = await storedContent(tenant, id);
      must(status === 'published', 'the content is not published');
      must(
        itemsOf(record).length === items.length,
        'the record has a different number of items than the content',
      );
    },
  },
  {
    name: 'a content that was restored cannot be restored again',
    clauses: ['states-and-transitions/row-any-state-other-than-archived'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      await restored(tenant, id);
      expectStatus(await restore(tenant, id), 409);
    },
  },
  {
    name: 'restore answers 409 unless the content is archived, and restores nothing',
    clauses: ['states-and-transitions/row-any-state-other-than-archived'],
    needs: 'control',
    async run(tenant) {
      for (const status of ['draft', 'ready', 'published'] as const) {
        const id = await tenant.contentIn(status);
        await mustLeaveUnmodified(tenant, [id], async () => {
          expectStatus(await restore(tenant, id), 409);
        });
      }
    },
  },
  {
    name: 'restore publishes a content that was ready or published before it was archived',
    clauses: ['states-and-transitions/rule-1'],
    needs: 'control',
    async run(tenant) {
      for (const status of ['ready', 'published'] as const) {
        const id = await tenant.contentIn(status);
        await archived(tenant, id);
        await restored(tenant, id);
        must(
          (await storedContent(tenant, id)).status === 'published',
          `a content that was ${status} is not published by restore`,
        );
      }
    },
  },
  {
    name: 'restore never makes a draft, even if the content was one or the request asks for it',
    clauses: ['states-and-transitions/rule-2'],
    needs: 'control',
    async run(tenant) {
      const id = await tenant.contentIn('draft');
      await archived(tenant, id);
      const { status } = await restored(tenant, id, { authorRef: tenant.authorRef, status: 'draft' });
      must(status !== 'draft', 'the record is a draft');
      must((await storedContent(tenant, id)).status !== 'draft', 'the content is a draft again');
    },
  },
  {
    name: 'a content is ready, and can be published, only when all of its items are ok',
    clauses: ['states-and-transitions/rule-3'],
    needs: 'control',
    async run(tenant) {
      for (const item of [
        { status: 'pending' },
        { status: 'processing' },
        { status: 'error', failureReason: 'the file is empty' },
      ]) {
        const id = await tenant.contentIn('draft', { items: [{ status: 'ok' }, item] });
        must(
          (await storedContent(tenant, id)).status !== 'ready',
          `ready with an item that is ${item.status}`,
        );
        expectRefusal(await sendWrite(tenant, PUBLISH, id, { authorRef: tenant.authorRef }));
      }
      const id = await tenant.contentIn('ready', { items: [{ status: 'ok' }, { status: 'ok' }] });
      expectSuccess(await sendWrite(tenant, PUBLISH, id, { authorRef: tenant.authorRef }));
    },
  },
];
