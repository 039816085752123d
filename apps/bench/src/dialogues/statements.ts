/**
 * The statements of a text: its lines, each with the indented ones below it, and the objects of a JSON answer. A word in one
 * statement says nothing about the next one.
 */
export function statementsOf(text: string): string[] {
  return text.split(/\n(?![ \t])|\},\s*\{/)
}
