/** A stack frame inside of Node, with or without `at`, and perhaps the brace that opens the error's properties. */
const INTERNAL_FRAME =
  /^(\s+)(?:at )?\S.*(?:\(|\s)(?:node:[\w/]+(?::\d+){0,2}|index \d+|<anonymous>)\)?( \{)?$/

/**
 * Takes out of a command's output what differs between two runs or two machines: the temporary path, durations,
 * stack frames inside of Node and the patch version of Node. Everything else is left as the command printed it.
 */
export function normaliseOutput(root: string, output: string): string {
  const lines: string[] = []
  for (const line of output.replaceAll(root, '/workspace').trimEnd().split('\n')) {
    if (/^\s*(?:ℹ |# )?duration_ms:? [\d.]+$/.test(line)) continue
    lines.push(
      line
        .replace(/ \(\d+(?:\.\d+)?ms\)$/, '')
        .replace(INTERNAL_FRAME, (_, indent, brace = '') => `${indent}at node internals${brace}`)
        // What a test quotes of another program's output stands inside of longer lines.
        .replace(/(node:[\w/]+)(?::\d+){1,2}/g, '$1')
        .replace(/Node\.js v(\d+)\.\d+\.\d+/g, 'Node.js v$1'),
    )
  }
  return lines.filter((line, index) => !repeatsInternals(line, lines[index + 1])).join('\n')
}

/** Of a run of internal frames only the last one is kept: it may carry the brace. */
function repeatsInternals(line: string, next: string | undefined): boolean {
  return (
    /^\s+at node internals$/.test(line) && next !== undefined && /^\s+at node internals(?: \{)?$/.test(next)
  )
}
