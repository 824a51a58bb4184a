import { storedContentOf } from '../fronts/control';
import { changeBody, changeRequest, type Fields, whenAnswered } from '../fronts/fronts';
import { ARCHIVE, control, LIST, pathOf, RESTORE, STORED, withPath } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

const STATES = 'the record has an array of items, each with its processing state';

/** Renames a status of contents. */
const callsStatus = (status: string, otherwise: string): Front =>
  changeBody(STORED, (content) => ({
    ...content,
    status: content.status === status ? otherwise : content.status,
  }));

/** Filters by another status than requested. */
const filtersBy = (status: string, other: string): Front =>
  changeRequest(LIST, (asked) => ({
    ...asked,
    url: asked.url.replace(`statuses=${status}`, `statuses=${other}`),
  }));

/** Restores contents with this status as if they were archived. */
const restoresIn = (status: string): Front =>
  whenAnswered(409, RESTORE, async (asked, sandbox, answer) => {
    const stored = await storedContentOf(asked, sandbox);
    if (stored?.content.status !== status) return answer;
    await sandbox(withPath(asked, (path) => path.replace(/restore$/, 'archive')));
    return sandbox(asked);
  });

/** Restores contents that had this status before archiving back to it. */
const rewindsTo =
  (status: string): Front =>
  (sandbox) => {
    const archivedFrom = new Map<string, string | undefined>();
    const restored = new Set<string>();
    return async (asked) => {
      if (control('POST', 'reset')(asked)) {
        archivedFrom.clear();
        restored.clear();
      }
      const [, id = ''] = /([^/]+)(?:\/archive|\/restore)?$/.exec(pathOf(asked)) ?? [];
      if (ARCHIVE(asked)) archivedFrom.set(id, (await storedContentOf(asked, sandbox))?.content.status);
      const answer = await sandbox(asked);
      if (answer.status !== 200 || archivedFrom.get(id) !== status) return answer;
      if (RESTORE(asked)) restored.add(id);
      if (!RESTORE(asked) && !(STORED(asked) && restored.has(id))) return answer;
      return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as Fields), status }) };
    };
  };

/** Violations that the checks of statuses and transitions find. */
export const LIFECYCLE_VIOLATIONS: ViolationTable = {
  'status-vocabularies/bullet-1': {
    'calls a draft new': callsStatus('draft', 'new'),
  },
  'states-and-transitions/paragraph-1': {
    'calls an archived content shelved': callsStatus('archived', 'shelved'),
  },
  'status-vocabularies/bullet-2': {
    'finds drafts among the published contents': filtersBy('published', 'published,created'),
    'does not filter by deleted': filtersBy('deleted', 'removed'),
  },
  'status-vocabularies/bullet-3': {
    'calls a processed item done': {
      front: changeBody<{ items: Fields[] }>(ARCHIVE, (record) => ({
        ...record,
        items: record.items.map((item) => ({ ...item, status: item.status === 'ok' ? 'done' : item.status })),
      })),
      alsoFails: [STATES],
    },
  },
  'states-and-transitions/row-archived': {
    'omits the last item from the answer to a restore': {
      front: changeBody<{ items: Fields[] }>(RESTORE, (record) => ({
        ...record,
        items: record.items.slice(0, -1),
      })),
      alsoFails: [STATES],
    },
  },
  'states-and-transitions/row-any-state-other-than-archived': {
    'restores a draft': restoresIn('draft'),
    'restores a published content': {
      front: restoresIn('published'),
      alsoFails: [
        'restore refuses with the statuses listed under Errors',
        'restore answers 409 for a restored content until it is archived again',
      ],
    },
  },
  'states-and-transitions/rule-1': {
    'restores a content that was ready as ready': rewindsTo('ready'),
  },
  'states-and-transitions/rule-2': {
    'restores a content that was a draft as a draft': rewindsTo('draft'),
  },
  'states-and-transitions/rule-3': {
    'makes a content ready when only one of its items is ok': changeBody<{
      status: string;
      items: { status: string }[];
    }>(STORED, (content) => {
      const isReady = content.status === 'draft' && content.items.some(({ status }) => status === 'ok');
      return { ...content, status: isReady ? 'ready' : content.status };
    }),
  },
};
