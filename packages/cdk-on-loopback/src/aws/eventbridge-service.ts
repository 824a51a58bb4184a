import { randomUUID } from 'node:crypto';
import { parseJsonObject } from '../json-object';
import { busArnOf, type BusEvent, deliverEvent } from '../events/deliver-event';
import { requireAllowed } from '../iam/authorize';
import { validationError } from './aws-error';
import { type Input } from './input';
import { type Call, type Operations } from './operation';

const MAX_ENTRIES = 10;
const ENTRY_PARAMETERS = [
  'Time',
  'Source',
  'Resources',
  'DetailType',
  'Detail',
  'EventBusName',
  'TraceHeader',
];

type Result = { EventId: string } | { ErrorCode: string; ErrorMessage: string };

export const EVENTBRIDGE_OPERATIONS: Operations = {
  /** An entry that the caller may not send fails the whole request. Other faults fail only their entry. */
  PutEvents: {
    parameters: ['Entries'],
    run(input, call) {
      const entries = (input.optionalInputs('Entries', { min: 1, max: MAX_ENTRIES }) ?? []).map((entry) => {
        entry.refuseOtherThan(ENTRY_PARAMETERS);
        return { entry, busArn: busArnOf(call.account, entry.optionalText('EventBusName') ?? 'default') };
      });
      if (entries.length === 0) throw validationError('Entries is missing');
      for (const { entry, busArn } of entries) requirePutAllowed(entry, busArn, call);
      const results = entries.map(({ entry, busArn }) => put(entry, busArn, call));
      return {
        FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
        Entries: results,
      };
    },
  },
};

/**
 * @throws {AwsError} AccessDeniedException
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-conditions.html
 */
function requirePutAllowed(entry: Input, busArn: string, call: Call): void {
  requireAllowed(call, {
    action: 'events:PutEvents',
    resource: busArn,
    resourcePolicy: call.account.eventBuses.get(busArn)?.policy,
    context: {
      'events:source': entry.optionalText('Source'),
      'events:detail-type': entry.optionalText('DetailType'),
    },
  });
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEventsResultEntry.html (error codes) */
function put(entry: Input, busArn: string, call: Call): Result {
  const { account, clock } = call;
  const detail = parseJsonObject(entry.optionalText('Detail') ?? '');
  const source = entry.optionalText('Source');
  const detailType = entry.optionalText('DetailType');
  if (source === undefined || detailType === undefined || !entry.has('Detail')) {
    const lacking = source === undefined ? 'Source' : detailType === undefined ? 'DetailType' : 'Detail';
    const reason = `Parameter ${lacking} is not valid. Reason: ${lacking} is a required argument.`;
    return { ErrorCode: 'InvalidArgument', ErrorMessage: reason };
  }
  if (source.startsWith('aws.'))
    return { ErrorCode: 'NotAuthorizedForSource', ErrorMessage: 'Not authorized for the source.' };
  if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  if (!account.eventBuses.has(busArn))
    return { ErrorCode: 'InvalidArgument', ErrorMessage: `The event bus ${busArn} does not exist.` };
  const atMs = (entry.optionalNumber('Time') ?? clock.nowMs() / 1000) * 1000;
  const event: BusEvent = {
    version: '0',
    id: randomUUID(),
    'detail-type': detailType,
    source,
    account: call.principal.kind === 'service' ? account.accountId : call.principal.accountId,
    // Whole seconds.
    time: `${new Date(atMs).toISOString().slice(0, 19)}Z`,
    region: account.region,
    resources: entry.optionalTexts('Resources') ?? [],
    detail,
  };
  deliverEvent(call, busArn, event);
  return { EventId: event.id };
}
