import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'

/** Characters at each end of an output that are searched; errors stand first or last. */
const MAX_SEARCHED_CHARS = 32_768
const MAX_LINE_CHARS = 240
const MAX_LINES = 3

/** Words that every error line has one of; a cheap first look. */
const HINT =
  /[Ee]rror|ERR|[Ff]ail|FAIL|[Ff]atal|[Pp]anic|Traceback|[Ee]xception|[Dd]enied|[Nn]ot found|[Cc]annot|[Cc]ould not|[Uu]nable|refused|timed out|[Nn]o such|must |memory|fault|critical|E[A-Z]{3}|^\*\* \(|^E {3}|[✗✖❌×]/m

const STRONG = new RegExp(
  [
    String.raw`^(?:[\w./@:-]{1,80}:\s?)?(?:fatal|panic|error|failed|failure|critical)(?:\[\w+\])?(?::|!| (?:TS|CS|C|E)\d|$)`,
    String.raw`^\s*(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b`,
    String.raw`\berror(?:\[\w+\]|\s(?:TS|CS|C|E)\d+)?:`,
    String.raw`^\*\* \(\w`,
    String.raw`^Traceback|^npm ERR!|^ERR_PNPM|^E\s{3}|^thread '.{1,80}' panicked`,
    String.raw`\b(?:command not found|No such file or directory|[Pp]ermission denied|Connection refused|timed out|out of memory|Segmentation fault)\b`,
    String.raw`\bE(?:NOENT|ACCES|EXIST|ADDRINUSE|CONNREFUSED|PERM|TIMEDOUT)\b`,
    String.raw`^\s*(?:✗|✖|❌|×|FAIL\b|FAILED\b|--- FAIL)`,
    String.raw`^(?:\w[\w./-]{0,40}:\s)?(?:Could not|Cannot|Unable to)\s\w|\bmust (?:be unique|match exactly)\b`,
  ].join('|'),
)
const HARMLESS =
  /\b0 (?:errors?|failures?|failed)\b|no errors?\b|errors?: 0\b|without errors?|^\s*(?:\/\/|#|\*|import |const |let |return |if |throw |catch|\d+[:→|-])/i

/** Lines of an output that state an error, verbatim, in order and each once: up to three of each end. */
export function errorLines(output: string): string[] {
  const lines = new Set<string>()
  for (const part of ends(output)) {
    if (!HINT.test(part)) continue
    const limit = lines.size + MAX_LINES
    for (const line of part.split('\n')) {
      if (lines.size >= limit) break
      if (line.length < 5 || !isErrorLine(line.slice(0, 2000))) continue
      lines.add(shorten(oneLine(line.slice(0, 2000)), MAX_LINE_CHARS))
    }
  }
  return [...lines]
}

/** Whether one line states an error, by the way that compilers, runtimes, shells and test runners write it. */
export function isErrorLine(line: string): boolean {
  if (!HINT.test(line)) return false
  const text = line.includes('\u001b') ? oneLine(line) : line.trim()
  return STRONG.test(text) && !HARMLESS.test(text)
}

function ends(output: string): string[] {
  if (output.length <= 2 * MAX_SEARCHED_CHARS) return [output]
  return [output.slice(0, MAX_SEARCHED_CHARS), output.slice(-MAX_SEARCHED_CHARS)]
}
