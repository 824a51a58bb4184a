import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { runSupervisor } from './supervise';

/** The program behind `latchkey local start`, in `dist/` beside those that it starts. */
const root = join(__dirname, '..');
const files = { app: 'app/app.js', host: 'laptop/host.js', sandbox: 'sandbox.js' };

void runSupervisor(process.argv.slice(2), {
  projectRoot: process.cwd(),
  // An installed package has no app to synthesize.
  checkout: existsSync(join(root, 'bin/app.ts')) ? root : undefined,
  fileOf: (program) => join(__dirname, files[program]),
}).then((code) => process.exit(code));
