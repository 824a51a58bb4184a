import { join } from 'node:path';

import { runSupervisor } from '../laptop/supervisor/supervise';
import { upToDate } from '../tools/builds/programs.cjs';

const checkout = join(__dirname, '..');

void runSupervisor(process.argv.slice(2), { projectRoot: checkout, checkout, fileOf: upToDate }).then(
  // Unlike the command, `npm start` ends with 1 for faulty options, too.
  (code) => process.exit(code === 2 ? 1 : code),
);
