#!/usr/bin/env node
/** Starts the command: in a package the one that was built for it, in a checkout one of the sources as they are now. */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const builder = join(__dirname, '../tools/builds/programs.cjs');
if (existsSync(builder)) {
  const { upToDate } = require(builder);
  // One command starts a program of its own.
  const programs = process.argv[2] === 'sandbox' ? ['latchkey', 'sandbox'] : ['latchkey'];
  try {
    programs.forEach(upToDate);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.error('latchkey: the packages are not installed; run `npm ci` first.');
    process.exit(1);
  }
}
require(join(__dirname, '../dist/latchkey.js'));
