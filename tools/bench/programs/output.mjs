/** Replaces standard output and counts its characters, so that logs and metrics cost every candidate the same. */
export function countOutput() {
  const counted = { characters: 0 };
  process.stdout.write = (text) => {
    counted.characters += text.length;
    return true;
  };
  return counted;
}
