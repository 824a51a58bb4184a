#!/usr/bin/env node
/** Starts the command from its sources. */
require('tsx/cjs');
require('../src/main.ts');
