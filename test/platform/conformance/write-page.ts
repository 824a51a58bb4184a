import { writeFileSync } from 'node:fs';
import { currentPage, PAGE_FILE } from './conformance-page';
import { examine } from './examine';

/** Examines the sandbox, and writes docs/conformance.md; a test keeps that equal to what would be written. */
void examine().then((results) => writeFileSync(PAGE_FILE, currentPage(results)));
