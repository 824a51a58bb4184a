/** Replaces standard output and counts its characters, so that logs and metrics cost every candidate the same. */
export function countOutput() {
  const counted = { characters: 0 };
  process.stdout.write = (text) => {
    counted.characters += text.length;
    return true;
  };
  return counted;
}

/** What `run` writes to standard output. */
export async function outputOf(run) {
  const { write } = process.stdout;
  let output = '';
  process.stdout.write = (text) => {
    output += text;
    return true;
  };
  try {
    await run();
  } finally {
    process.stdout.write = write;
  }
  return output;
}
