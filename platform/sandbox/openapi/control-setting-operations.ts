import { body, empty, TOO_LARGE } from './answer-parts';
import { ok, operation } from './control-operation';
import { type ServedOperation } from './openapi-document';

/** Operations for behavior that the platform's specification leaves open. */
export function settingOperations(): ServedOperation[] {
  return [
    operation('GET /processing', 'getProcessing', 'settings', {
      summary: 'Get the processing times of new items',
      answers: { 200: ok('Processing', 'The current times.') },
    }),
    operation('POST /processing', 'setProcessing', 'settings', {
      summary: 'Set the processing times of new items',
      request: body('ProcessingChange', { takesSec: 60 }),
      answers: { 200: ok('Processing', 'The current times.') },
    }),
    operation('GET /item-failures', 'listItemFailures', 'settings', {
      summary: 'List pending item failures',
      answers: { 200: ok('ItemFailures', 'Pending failures with their remaining times.') },
    }),
    operation('POST /item-failures', 'addItemFailure', 'settings', {
      summary: 'Make processing of the next matching items fail',
      request: body('ItemFailure', { match: { type: 'video' }, reason: 'the video has no sound', times: 2 }),
      answers: { 201: ok('ItemFailure', 'The added failure.') },
    }),
    operation('DELETE /item-failures', 'deleteItemFailures', 'settings', {
      summary: 'Delete all pending item failures',
      answers: { 204: empty('No failure is pending.'), 413: TOO_LARGE },
    }),
    operation('GET /restore', 'getRestore', 'settings', {
      summary: 'Get the settings of restore and archive',
      answers: { 200: ok('Restore', 'The current settings.') },
    }),
    operation('POST /restore', 'setRestore', 'settings', {
      summary:
        'Set whether restore and archive exist, and from which place or headers they take the acting user',
      request: body('RestoreChange', { available: false }),
      answers: { 200: ok('Restore', 'The current settings.') },
    }),
    operation('POST /key-lag', 'setKeyLag', 'settings', {
      summary: 'Set the delay before new API keys work',
      request: body('KeyLag', { sec: 30 }),
      answers: { 200: ok('KeyLag', 'The delay for keys generated from now on.') },
    }),
  ];
}
