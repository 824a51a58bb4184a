import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  FINER_TOKEN_FAULTS,
  RESTORE_METRICS,
  ROTATION_METRICS,
  TOKEN_METRICS,
  WATCH_METRICS,
} from '../../core/alarms/metrics';
import { PROBLEMS } from '../../core/restore/restore-outcomes';
import { ROTATION_FAILURES } from '../../core/rotation/rotation';
import { ENSURE_ERROR_CODES } from '../../core/tokens/token-refresh';

const pageNamed = (name: string) => readFileSync(join(__dirname, '../../docs', name), 'utf8');

it.each([
  ['alarms.md', [...TOKEN_METRICS, ...RESTORE_METRICS, ...ROTATION_METRICS, ...WATCH_METRICS]],
  ['errors.md', [...ENSURE_ERROR_CODES, ...FINER_TOKEN_FAULTS, ...ROTATION_FAILURES]],
  ['restore-api.md', Object.keys(PROBLEMS)],
])('%s explains each name', (page, names: readonly string[]) => {
  const text = pageNamed(page);

  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
