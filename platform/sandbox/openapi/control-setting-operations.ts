import { body, empty, TOO_LARGE } from './answer-parts';
import { ok, operation } from './control-operation';
import { type ServedOperation } from './openapi-document';

/** What the platform does where its specification leaves it open. */
export function settingOperations(): ServedOperation[] {
  return [
    operation('GET /processing', 'getProcessing', 'settings', {
      summary: 'Look at how new items are processed',
      answers: { 200: ok('Processing', 'The times in force.') },
    }),
    operation('POST /processing', 'setProcessing', 'settings', {
      summary: 'Change how new items are processed',
      request: body('ProcessingChange', { takesSec: 60 }),
      answers: { 200: ok('Processing', 'The times in force.') },
    }),
    operation('GET /item-failures', 'listItemFailures', 'settings', {
      summary: 'List the failures that wait for new items',
      answers: { 200: ok('ItemFailures', 'With the times that are left.') },
    }),
    operation('POST /item-failures', 'addItemFailure', 'settings', {
      summary: 'Let the processing of the next items that match fail',
      request: body('ItemFailure', { match: { type: 'video' }, reason: 'the video has no sound', times: 2 }),
      answers: { 201: ok('ItemFailure', 'The rule, with its times.') },
    }),
    operation('DELETE /item-failures', 'deleteItemFailures', 'settings', {
      summary: 'Forget the failures that wait for new items',
      answers: { 204: empty('There are none.'), 413: TOO_LARGE },
    }),
    operation('GET /restore', 'getRestore', 'settings', {
      summary: 'Look at what is coming soon',
      answers: { 200: ok('Restore', 'The values in force.') },
    }),
    operation('POST /restore', 'setRestore', 'settings', {
      summary: 'Change whether restore and archive exist, and where they take the acting user from',
      request: body('RestoreChange', { available: false }),
      answers: { 200: ok('Restore', 'The values in force.') },
    }),
    operation('POST /key-lag', 'setKeyLag', 'settings', {
      summary: 'Let API keys work only a while after they are generated',
      request: body('KeyLag', { sec: 30 }),
      answers: { 200: ok('KeyLag', 'The lag of keys that are generated from now on.') },
    }),
  ];
}
