/**
 * The commands in a text's back-quotes with flags that name the system again, so that they can be copied.
 * @param flags such as `--local`; may be empty
 */
export function addFlags(text: string, flags: string): string {
  if (flags === '') return text;
  return text.replace(/`(latchkey [^`]+)`/g, (_, command: string) => `\`${command} ${flags}\``);
}
