import { join } from 'node:path';

import { EXIT } from '../cli/exit-codes';
import { runSupervisor } from '../laptop/supervisor/supervise';
import { upToDate } from '../tools/builds/programs.cjs';

const checkout = join(__dirname, '..');

void runSupervisor(process.argv.slice(2), { projectRoot: checkout, checkout, fileOf: upToDate }).then(
  // Unlike the command, `npm start` exits with 1 for faulty options, too.
  (code) => process.exit(code === EXIT.usage ? EXIT.failed : code),
);
