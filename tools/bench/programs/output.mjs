/** Takes what is written to standard output, and counts its characters: the same sink for everybody's log and metrics. */
export function countOutput() {
  const counted = { characters: 0 };
  process.stdout.write = (text) => {
    counted.characters += text.length;
    return true;
  };
  return counted;
}
