import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { helpPage } from '../../cli/help-page';

/** Writes what every command says with --help into its page; a test keeps it equal to the code. */
const page = join(__dirname, '../../docs/command.md');
const [before = ''] = readFileSync(page, 'utf8').split(/(?<=^## Every command\n)/m);
writeFileSync(page, `${before}\n${helpPage()}\n`);
